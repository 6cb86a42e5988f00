import express, { type Request, type RequestHandler } from 'express';
import { DEFAULT_KEY } from '../../config/access.ts';
import { groupBy } from '../../domain/collections.ts';
import {
  type InterfaceDocument,
  type Json,
  loadDocument,
  type OperationSpec,
} from '../../spec/document.ts';
import { parseKey } from '../../store/worlds.ts';
import { plural } from '../../text/wording.ts';
import {
  errorHandler,
  errorPage,
  type PageAnswer,
  secureHeaders,
  sendAnswer,
  unknownPage,
} from '../answer.tsx';
import { Coded, JsonView } from '../code.tsx';
import { type Columns, DataTable, TableSection } from '../data-table.tsx';
import { fieldText } from '../forms.tsx';
import { pageGate } from '../inspector/access-gate.tsx';
import { linkTo } from '../inspector/inspector-request.ts';
import type { PagesOptions } from '../page-control.ts';
import { Method, Section, Status } from '../parts.tsx';
import { DOCUMENTATION_PATH, REFERENCE_PATHS, referencePath } from '../paths.ts';
import {
  allFieldsOf,
  type BodyModel,
  type FieldModel,
  headOf,
  parametersOf,
  requestBodyOf,
  responsesOf,
} from './operation-model.ts';
import {
  AssumptionLinks,
  AssumptionsPage,
  ReferencePage,
  type ReferenceProps,
} from './reference-page.tsx';
import { type DocumentName, documentFor, serveDocument } from './served-document.ts';

interface OperationsProps extends ReferenceProps {
  readonly page: DocumentName;
  readonly document: InterfaceDocument;
}

/** All operations of a document, by group. */
function OperationsPage({ page, document, worldKey }: OperationsProps) {
  const operations = [...document.operations.values()];
  const groups = groupBy(operations, (each) => headOf(each).group);
  return (
    <ReferencePage
      worldKey={worldKey}
      page={page}
      lead={
        <>
          {operations.length} operations. As OpenAPI:{' '}
          <a href={`${DOCUMENTATION_PATH}/${page}.json`}>{page}.json</a>
        </>
      }
    >
      <div class="groups">
        {[...groups].map(([group, members]) => (
          <section key={group} aria-label={group} data-group>
            <h2>{group}</h2>
            <ul>
              {members.map((operation) => (
                <Line key={operation.id} operation={operation} worldKey={worldKey} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </ReferencePage>
  );
}

type LineProps = ReferenceProps & { readonly operation: OperationSpec };

function Line({ operation, worldKey }: LineProps) {
  const { id, method, path } = operation;
  const { summary } = headOf(operation);
  return (
    <li data-filter={id}>
      <Method method={method} />{' '}
      <a href={referencePath('operation', { id, key: worldKey })}>{summary}</a> <code>{path}</code>
    </li>
  );
}

interface OperationProps extends ReferenceProps {
  readonly operation: OperationSpec;
  /** The document with examples that fit the world of the key. */
  readonly document: Json;
  /** Whether there is a form that sends it. */
  readonly canSend: boolean;
}

/** An operation: what it takes and what it returns. */
function OperationPage({ operation, document, canSend, worldKey }: OperationProps) {
  const { id, method, path } = operation;
  const { summary, description } = headOf(operation);
  const body = requestBodyOf(document, operation);
  return (
    <ReferencePage worldKey={worldKey} title={summary}>
      <p>
        <Method method={method} /> <code>{path}</code> <span class="muted">{id}</span>
      </p>
      <p class="prose">
        <Coded text={description} />
      </p>
      {canSend && (
        <a class="button" href={linkTo('send', { key: worldKey, operation: id })}>
          Try it
        </a>
      )}
      <TableSection
        id="parameters"
        title="Parameters"
        rows={parametersOf(document, operation)}
        columns={FIELD_COLUMNS}
      />
      {body && (
        <Section id="body" title="Body">
          <Body document={document} body={body} label="body" />
        </Section>
      )}
      <Responses document={document} operation={operation} />
      <AssumptionLinks ids={operation.assumptions} worldKey={worldKey} />
    </ReferencePage>
  );
}

function Responses({ document, operation }: Pick<OperationProps, 'document' | 'operation'>) {
  return (
    <Section id="responses" title="Responses">
      {responsesOf(document, operation).map(({ status, description, body }) => (
        <details key={status} open={status.startsWith('2')}>
          <summary>
            <Status status={Number(status)} /> · <Coded text={description} />
          </summary>
          {body && <Body document={document} body={body} label={`response ${status}`} />}
        </details>
      ))}
    </Section>
  );
}

interface BodyProps {
  readonly document: Json;
  readonly body: BodyModel;
  readonly label: string;
}

function Body({ document, body, label }: BodyProps) {
  const { schema, example } = body;
  const fields = schema ? [...allFieldsOf(document, schema)] : [];
  return (
    <>
      {example !== undefined && <JsonView label={`Example of the ${label}`} value={example} />}
      {fields.length > 0 && (
        <details>
          <summary>{plural(fields.length, 'field')}</summary>
          <DataTable label={`Fields of the ${label}`} rows={fields} columns={FIELD_COLUMNS} />
        </details>
      )}
    </>
  );
}

const FIELD_COLUMNS: Columns<FieldModel> = {
  Name: ({ name, isRequired }) => (
    <>
      <code>{name}</code> {isRequired && <small>required</small>}
    </>
  ),
  Type: ({ type }) => type,
  Meaning: ({ description }) => <Coded text={description} />,
};

/** Serves the API reference, and the OpenAPI documents. @assumes A-1401 */
export function createReferenceRouter(options: PagesOptions): express.Router {
  const { settings } = options;
  const router = express.Router();
  const at =
    (show: (worldKey: string, request: Request) => PageAnswer): RequestHandler =>
    (request, response) => {
      const key = fieldText(request.query, 'key') || DEFAULT_KEY;
      sendAnswer(response, parseKey(key) ? show(key, request) : errorPage('wrongKey', settings));
    };
  router.use(secureHeaders, express.urlencoded({ extended: false, limit: '4kb' }));
  router.use(pageGate(options));
  router.get(
    REFERENCE_PATHS.assumptions,
    at((worldKey) => <AssumptionsPage worldKey={worldKey} />),
  );
  router.get(
    REFERENCE_PATHS.operation,
    at((worldKey, request) => showOperation(options, worldKey, request)),
  );
  for (const name of NAMES) {
    const document = loadDocument(name);
    router.get(
      REFERENCE_PATHS[name],
      at((worldKey) => <OperationsPage page={name} document={document} worldKey={worldKey} />),
    );
    router.get(`/${name}.json`, serveDocument(name, options));
  }
  router.use(unknownPage(settings), errorHandler(options));
  return router;
}

const NAMES = ['openapi', 'control'] as const;

function showOperation(options: PagesOptions, worldKey: string, { params }: Request): PageAnswer {
  const { settings } = options;
  for (const name of NAMES) {
    const operation = loadDocument(name).operations.get(String(params['id']));
    if (!operation) continue;
    const props = { operation, worldKey, canSend: name === 'openapi' };
    return <OperationPage {...props} document={documentFor(name, options, worldKey)} />;
  }
  return errorPage('unknown', settings);
}
