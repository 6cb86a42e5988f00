import type { Exchange } from '../../../http/log/exchange.ts';
import { type Json, loadDocument, type OperationSpec } from '../../../spec/document.ts';
import { exactJsonIn, serialiseForReading } from '../../../text/exact-json.ts';
import type { PageAnswer } from '../../answer.ts';
import { Coded } from '../../code.tsx';
import { Button, Choice, Field, fieldText } from '../../forms.tsx';
import { Method } from '../../parts.tsx';
import { referencePath } from '../../paths.ts';
import {
  type BodyModel,
  headOf,
  type ParameterModel,
  parametersOf,
  requestBodyOf,
} from '../../reference/operation-model.ts';
import { withKey } from '../../reference/reference-page.tsx';
import { documentFor } from '../../reference/served-document.ts';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { ActionForm, QueryForm } from '../links.tsx';

/** Finds a request in the log by its number. */
export const exchangeOf = (
  { control, world }: InspectorRequest,
  ordinal: string,
): Exchange | undefined =>
  control.requests.list(world).find((each) => String(each.ordinal) === ordinal);

const DEFAULT_OPERATION = 'createCustomer';

/** The page that sends any request, with a form made from the document. It starts as an earlier request if one is named. */
export function showSendForm(request: InspectorRequest): PageAnswer {
  const { operations } = loadDocument('openapi');
  const again = exchangeOf(request, request.query('again'));
  const wanted = again?.operation?.id ?? request.query('operation');
  const operation = (operations.get(wanted) ?? operations.get(DEFAULT_OPERATION)) as OperationSpec;
  return (
    <InspectorPage
      request={request}
      section="requests"
      title={headOf(operation).summary}
      path="Send"
      actions={<OperationChoice chosen={operation.id} />}
    >
      <p class="about">
        <span>
          <Method method={operation.method} /> <code>{operation.path}</code>
        </span>
        <a href={withKey(referencePath('operation', operation.id), request.key)}>Reference</a>
      </p>
      <p class="prose">
        <Coded text={headOf(operation).description} />
      </p>
      <OperationForm operation={operation} again={again} />
    </InspectorPage>
  );
}

function OperationChoice({ chosen }: { readonly chosen: string }) {
  const operations = [...loadDocument('openapi').operations.keys()].sort();
  return (
    <QueryForm page="send" layout="line">
      <Choice label="Operation" name="operation" options={operations} chosen={chosen} />
      <Button isSecondary>Choose</Button>
    </QueryForm>
  );
}

interface OperationFormProps {
  readonly operation: OperationSpec;
  /** The earlier request that the form starts as. */
  readonly again: Exchange | undefined;
}

/** A field for each parameter, and the body as JSON. */
function OperationForm({ operation, again }: OperationFormProps) {
  const request = useRequest();
  const document = documentFor('openapi', request.control, request.key);
  const body = requestBodyOf(document, operation);
  const text = body && textOf(again ? sentBody(again) : presetBody(request, body));
  return (
    <ActionForm action="/send" parameters={{ operation: operation.id }} layout="line">
      {parametersOf(document, operation).map((parameter) => (
        <Parameter key={parameter.name} parameter={parameter} again={again} />
      ))}
      {text !== undefined && (
        <label>
          Body, JSON
          <textarea
            name="body"
            rows={Math.min(MAX_ROWS, text.split('\n').length + 1)}
            spellcheck={false}
          >
            {request.formError === undefined ? text : fieldText(request.body, 'body')}
          </textarea>
        </label>
      )}
      <Button>
        Send {operation.method} {operation.path}
      </Button>
    </ActionForm>
  );
}

const MAX_ROWS = 30;

interface ParameterProps extends Pick<OperationFormProps, 'again'> {
  readonly parameter: ParameterModel;
}

/** A field with the value of the earlier request, or that of the URL; else a path has that of the example. */
function Parameter({ parameter, again }: ParameterProps) {
  const { query } = useRequest();
  const { name, in: place, isRequired, description, example } = parameter;
  const sent = new URLSearchParams(again?.rawRequest.search);
  const preset = query(name) || (place === 'path' ? textOf(example) : '');
  return (
    <Field
      label={`${name}${isRequired ? ' (required)' : ''}`}
      name={`${place}.${name}`}
      value={again ? (again.path[name] ?? sent.get(name) ?? '') : preset}
      title={description || undefined}
    />
  );
}

/** The body of an earlier request: as JSON, with numbers as they were sent, if it is JSON. */
function sentBody({ requestBody }: Exchange): unknown {
  const sent = requestBody.toString('utf8');
  return exactJsonIn(sent) ?? sent;
}

/** The body that the URL gives, or the example, for the customer that the URL names. */
function presetBody({ query }: InspectorRequest, { example }: BodyModel): unknown {
  if (query('body') !== '') return exactJsonIn(query('body'));
  const customer_id = query('customer_id');
  if (customer_id === '') return example;
  const { customer_external_id: _, ...others } = example as Readonly<Record<string, unknown>>;
  return { customer_id, ...others };
}

/** A value as the text of a field: a text as it is, anything else as JSON. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : serialiseForReading(value);
