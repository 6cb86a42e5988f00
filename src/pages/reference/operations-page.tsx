import { groupBy } from '../../domain/collections.ts';
import type { InterfaceDocument, OperationSpec } from '../../spec/document.ts';
import { Breakable, Method } from '../parts.tsx';
import { DOCUMENTATION_PATH, referencePath } from '../paths.ts';
import { headOf } from './operation-model.ts';
import { ReferencePage, type ReferenceProps, withKey } from './reference-page.tsx';

const ABOUT = {
  service: ['openapi', 'act in the world of the key'],
  control: ['control', 'control the world of the key'],
} as const;

interface OperationsProps extends ReferenceProps {
  readonly page: 'service' | 'control';
  readonly document: InterfaceDocument;
}

/** All operations of a document, by group. */
export function OperationsPage({ page, document, worldKey }: OperationsProps) {
  const [file, about] = ABOUT[page];
  const operations = [...document.operations.values()];
  const groups = groupBy(operations, (each) => headOf(each).group);
  return (
    <ReferencePage worldKey={worldKey} page={page}>
      <p class="lead">
        {operations.length} operations, which {about}. As an OpenAPI document:{' '}
        <a href={`${DOCUMENTATION_PATH}/${file}.json`}>{file}.json</a>
      </p>
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
    <li data-filter={`${id} ${method} ${path} ${summary}`.toLowerCase()}>
      <Method method={method} />{' '}
      <a href={withKey(referencePath('operation', id), worldKey)}>{summary}</a>{' '}
      <code>
        <Breakable text={path} before={/(?=\/)/} />
      </code>
    </li>
  );
}
