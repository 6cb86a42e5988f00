import type { VNode } from 'preact';
import { presentExchange } from '../../../http/log/present-exchange.ts';
import type { PageAnswer } from '../../answer.ts';
import { Copy } from '../../copy.tsx';
import { DataTable, Shown } from '../../data-table.tsx';
import { errorPage } from '../../error-pages.tsx';
import { Id } from '../../id.tsx';
import { Facts, JsonView, MOST_CHARACTERS, ScrollArea, Section, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
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
      >
        <RequestFacts presented={presented} />
        <Assumptions request={request} ids={assumptionsOf(exchange)} />
        <Message name="Request" {...partsOf(presented, 'request')} />
        <Message name="Answer" {...partsOf(presented, 'response')} />
        <Changes presented={presented} />
        <Copyable title="As curl" text={curlOf(request, exchange)} />
        {step !== undefined && <Copyable title="As a step of a fixture" text={step} />}
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
        When: <Time as="exact" at={presented.at} />,
        Query: presented.query !== undefined && <Words text={presented.query} />,
        'Request id': <Id id={presented.request_id} />,
        Account: <Id id={presented.owner} />,
        Fault: presented.fault,
      }}
    />
  );
}

interface AssumptionsProps {
  readonly request: InspectorRequest;
  readonly ids: readonly string[];
}

function Assumptions({ request, ids }: AssumptionsProps): VNode | null {
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
    <Section id={name.toLowerCase()} title={name}>
      {body === undefined ? (
        <p>No body.</p>
      ) : (
        <JsonView label={`Body of the ${name}`} value={body} />
      )}
      <details>
        <summary>Headers</summary>
        <DataTable
          label={`Headers of the ${name}`}
          rows={Object.entries(headers)}
          columns={{
            Name: ([header]) => header,
            Value: ([, value]) => <Words text={value} />,
          }}
        />
      </details>
    </Section>
  );
}

function Changes({ presented }: { readonly presented: Presented }): VNode {
  const changes = presented.changes.filter(({ table }) => table !== 'ordinals');
  const shown = changes.slice(0, MOST_CHANGES);
  return (
    <Section id="changes" title="What it changed">
      {changes.length === 0 && <p>Nothing.</p>}
      {shown.map(({ table, id, before, after }, place) => (
        <details key={`${table} ${id}`}>
          <summary>
            {changeText(before, after)} in {table.replaceAll('_', ' ')}
          </summary>
          {Object.entries({ Before: before, After: after }).map(([when, value]) => {
            const label = `${when}, change ${place + 1}`;
            return value && <JsonView key={when} label={label} value={value} most={MOST_OF_ROW} />;
          })}
        </details>
      ))}
      <Shown count={shown.length} total={changes.length} />
    </Section>
  );
}

const MOST_CHANGES = 100;
/** Characters that are shown of a changed row. */
const MOST_OF_ROW = 5_000;

function changeText(before: object | null, after: object | null): string {
  if (before === null) return 'Added';
  return after === null ? 'Removed' : 'Replaced';
}

function Copyable({
  title,
  text,
}: {
  readonly title: string;
  readonly text: string;
}): VNode | null {
  if (text.length > MOST_CHARACTERS) return null;
  return (
    <Section id={title.toLowerCase().replaceAll(' ', '-')} title={title}>
      <Copy text={text} name={title.toLowerCase()} label="Copy" />
      <ScrollArea label={title}>
        <pre>{text}</pre>
      </ScrollArea>
    </Section>
  );
}
