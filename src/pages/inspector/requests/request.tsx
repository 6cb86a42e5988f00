import { stepTextOf } from '../../../control/recording/write-exchanges.ts';
import type { Exchange } from '../../../http/log/exchange.ts';
import { presentExchange, redactorOf } from '../../../http/log/present-exchange.ts';
import { plural } from '../../../text/plural.ts';
import type { PageAnswer } from '../../answer.ts';
import { DataTable } from '../../data-table.tsx';
import { Id } from '../../id.tsx';
import { Badge, JsonView, Method, Section, Status, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { Copyable } from '../copyable.tsx';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { OfAccount } from '../links.tsx';
import { recordNotFound } from '../not-found.tsx';
import { assumptionTitle } from '../worlds/assumptions.tsx';
import { Changes } from './changes.tsx';
import { assumptionsOf } from './requests.tsx';
import { Tracer } from './trace.tsx';
import { Trace, type TraceNode } from './trace-node.tsx';

type Presented = ReturnType<typeof presentExchange>;

/** The page of a request: request, response and changes. Secrets are redacted. */
export function showRequest(request: InspectorRequest): PageAnswer {
  const ordinal = Number(request.parameters['ordinal']);
  const exchange = request.control.requests
    .list(request.world)
    .find((each) => each.ordinal === ordinal);
  if (!exchange) return recordNotFound(request);
  const presented = presentExchange(exchange);
  const step = stepTextOf(exchange);
  const effects = new Tracer(request, exchange).effects();
  return (
    <InspectorPage
      request={request}
      section="/requests"
      title={`${presented.method} ${presented.path}`.slice(0, 80)}
      path
      heading={<Heading {...presented} />}
    >
      <RequestFacts presented={presented} />
      {effects.length > 0 && (
        <Section id="trace" title="What it caused">
          <div class="trace">
            <Trace nodes={[{ ...traceRoot(exchange), effects }]} />
          </div>
        </Section>
      )}
      <Changes changes={presented.changes} />
      <div class="columns">
        <Message name="Request" presented={presented} of="request" />
        <Message name="Response" presented={presented} of="response" />
      </div>
      <Assumptions ids={assumptionsOf(exchange)} />
      <div class="columns">
        <Copyable title="As curl" text={curlOf(request, exchange)} />
        {step !== undefined && <Copyable title="As a fixture step" text={step} />}
      </div>
    </InspectorPage>
  );
}

const Heading = ({ method, path }: Presented) => (
  <>
    <Method method={method} /> <Words text={path} />
  </>
);

function RequestFacts({ presented }: { readonly presented: Presented }) {
  const { status, operation, at, query, request_id, owner, fault } = presented;
  return (
    <div class="about">
      <Status status={status} />
      {operation !== undefined && <span>{operation}</span>}
      <Time as="request" at={at} />
      {query !== undefined && (
        <span>
          Query <Words text={query} />
        </span>
      )}
      <Id id={request_id} canCopy />
      <OfAccount id={owner} />
      {fault !== undefined && <Badge text={`fault ${fault}`} tone="warn" />}
    </div>
  );
}

/** The request itself, from which its effects follow. */
function traceRoot(exchange: Exchange): TraceNode {
  const { rawRequest, rawResponse } = exchange;
  return {
    kind: 'Request',
    what: (
      <>
        <Method method={rawRequest.method} />{' '}
        {exchange.operation?.id ?? redactorOf(exchange)(rawRequest.path)}
      </>
    ),
    more: [<Status status={rawResponse.status} />],
    tone: 'ok',
  };
}

/** The assumptions that the response relies on, where the specification is silent. */
function Assumptions({ ids }: { readonly ids: readonly string[] }) {
  const { link } = useRequest();
  if (ids.length === 0) return null;
  return (
    <details data-testid="rests">
      <summary>
        Depends on {plural(ids.length, 'assumption')} where the specification is silent
      </summary>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <a href={link('/assumptions', { q: `id:${id}` })}>{id}</a> {assumptionTitle(id)}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface MessageProps {
  readonly name: string;
  readonly presented: Presented;
  readonly of: 'request' | 'response';
}

function Message({ name, presented, of }: MessageProps) {
  const { [`${of}_headers` as const]: headers, [`${of}_body` as const]: body } = presented;
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
          columns={{ Name: ([header]) => header, Value: ([, value]) => <Words text={value} /> }}
        />
      </details>
    </Section>
  );
}

/** Returns a curl command that repeats the request with the key of the page. */
function curlOf({ key, control, world }: InspectorRequest, exchange: Exchange): string {
  const { rawRequest, requestBody, owner } = exchange;
  const { method, path, search } = rawRequest;
  const redactIn = redactorOf(exchange);
  const address = redactIn(`${path}${search && `?${search}`}`);
  const { service_name } = control.settings;
  const headers = [
    `Authorization: Bearer ${key}`,
    ...(owner === world.accountId ? [] : [`X-${service_name}-Account: ${owner}`]),
    ...(requestBody.length > 0 ? [`Content-Type: ${rawRequest.headers['content-type']}`] : []),
  ];
  const parts = [
    `curl -X ${quoted(method)} ${quoted(control.baseUrl + address)}`,
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...(requestBody.length > 0
      ? [`--data-raw ${quoted(redactIn(requestBody.toString('utf8')))}`]
      : []),
  ];
  return parts.join(' \\\n  ');
}

/** Quotes a text for the shell. */
const quoted = (text: string): string =>
  /^[\w/:.=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
