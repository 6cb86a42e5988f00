import type { VNode } from 'preact';
import { presentExchange } from '../../../http/log/present-exchange.ts';
import type { PageAnswer } from '../../answer.ts';
import { errorPage } from '../../error-pages.tsx';
import { DataTable, Words } from '../../sections.tsx';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Facts, JsonView, MOST_CHARACTERS, Part, WorldTime } from '../parts.tsx';
import { curlOf, stepOf } from './request-copies.ts';
import { assumptionsOf } from './requests.tsx';

type Presented = ReturnType<typeof presentExchange>;

/** One request: what was sent, what was answered, and what it changed. Secrets are left out. */
export function showRequest(request: InspectorRequest): PageAnswer {
  const ordinal = Number(request.parameters['ordinal']);
  const exchange = request.control.requests
    .list(request.world)
    .find((each) => each.ordinal === ordinal);
  if (!exchange) return errorPage('unknown');
  const presented = presentExchange(exchange);
  const step = stepOf(request, exchange);
  return {
    page: (
      <InspectorPage
        request={request}
        section="/requests"
        title={`${presented.method} ${presented.path}`.slice(0, 80)}
        heading={<Words text={`${presented.method} ${presented.path}`} />}
        scripts={['copy.js']}
      >
        <RequestFacts presented={presented} />
        <Assumptions request={request} ids={assumptionsOf(exchange)} />
        <Message name="Request" {...partsOf(presented, 'request')} />
        <Message name="Answer" {...partsOf(presented, 'response')} />
        <Changes presented={presented} />
        <Copy title="As curl" text={curlOf(request, exchange)} />
        {step !== undefined && <Copy title="As a step of a fixture" text={step} />}
      </InspectorPage>
    ),
  };
}

function RequestFacts({ presented }: { readonly presented: Presented }): VNode {
  return (
    <Facts
      facts={{
        Status: <strong>{presented.status}</strong>,
        Operation: presented.operation,
        When: <WorldTime at={presented.at} />,
        Query: presented.query !== undefined && <Words text={presented.query} />,
        'Request id': <code>{presented.request_id}</code>,
        Account: <code>{presented.owner}</code>,
        Fault: presented.fault,
      }}
    />
  );
}

function Assumptions({
  request,
  ids,
}: {
  readonly request: InspectorRequest;
  readonly ids: readonly string[];
}): VNode | null {
  if (ids.length === 0) return null;
  return (
    <p>
      Relies on{' '}
      {ids.map((id, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <a href={request.link('/assumptions', { q: `id:${id}` })}>{id}</a>
        </span>
      ))}
    </p>
  );
}

interface MessageParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

function partsOf(presented: Presented, which: 'request' | 'response'): MessageParts {
  return { headers: presented[`${which}_headers`], body: presented[`${which}_body`] };
}

function Message({ name, headers, body }: MessageParts & { readonly name: string }): VNode {
  return (
    <Part id={name.toLowerCase()} title={name}>
      {body === undefined ? (
        <p>No body.</p>
      ) : (
        <JsonView label={`Body of the ${name}`} value={body} />
      )}
      <details>
        <summary>Headers</summary>
        <DataTable label={`Headers of the ${name}`} headings={['Name', 'Value']}>
          {Object.entries(headers).map(([header, value]) => (
            <tr key={header}>
              <td>{header}</td>
              <td>
                <Words text={value} />
              </td>
            </tr>
          ))}
        </DataTable>
      </details>
    </Part>
  );
}

function Changes({ presented }: { readonly presented: Presented }): VNode {
  const changes = presented.changes.filter(({ table }) => table !== 'ordinals');
  return (
    <Part id="changes" title="What it changed">
      {changes.length === 0 && <p>Nothing.</p>}
      {changes.slice(0, MOST_CHANGES).map(({ table, id, before, after }, place) => (
        <details key={`${table} ${id}`}>
          <summary>
            {changeText(before, after)} in {table.replaceAll('_', ' ')}
          </summary>
          {before !== null && (
            <JsonView label={`Before, change ${place + 1}`} value={before} most={MOST_OF_ROW} />
          )}
          {after !== null && (
            <JsonView label={`After, change ${place + 1}`} value={after} most={MOST_OF_ROW} />
          )}
        </details>
      ))}
      {changes.length > MOST_CHANGES && (
        <p>
          The first {MOST_CHANGES} of {changes.length}.
        </p>
      )}
    </Part>
  );
}

const MOST_CHANGES = 100;
/** Characters that are shown of a changed row. */
const MOST_OF_ROW = 5_000;

function changeText(before: object | null, after: object | null): string {
  if (before === null) return 'Added';
  return after === null ? 'Removed' : 'Replaced';
}

function Copy({ title, text }: { readonly title: string; readonly text: string }): VNode | null {
  if (text.length > MOST_CHARACTERS) return null;
  return (
    <Part id={title.toLowerCase().replaceAll(' ', '-')} title={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by keyboard. */}
      <section class="scrolls" aria-label={title} tabIndex={0}>
        <pre data-copy={title.toLowerCase()}>{text}</pre>
      </section>
    </Part>
  );
}
