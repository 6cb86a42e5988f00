import { stepTextOf } from '../../../control/requests.ts';
import type { Exchange } from '../../../http/log/exchange.ts';
import { presentExchange, redactorOf } from '../../../http/log/present-exchange.ts';
import { headerNames } from '../../../spec/header-names.ts';
import type { PageAnswer } from '../../answer.tsx';
import { Code, JsonView, MAX_CHARACTERS } from '../../code.tsx';
import { curlText } from '../../curl.ts';
import { DataTable } from '../../data-table.tsx';
import { Button } from '../../forms.tsx';
import { Id } from '../../id.tsx';
import { Badge, Method, Section, Status, Words } from '../../parts.tsx';
import { referencePath } from '../../paths.ts';
import { AssumptionLinks } from '../../reference/reference-page.tsx';
import { Time } from '../../time.tsx';
import { capitalized } from '../../wording.ts';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { ActionForm, OfAccount, SendLink } from '../links.tsx';
import { recordNotFound } from '../not-found.tsx';
import { exchangeOf } from '../send/send-page.tsx';
import { Changes } from './changes.tsx';
import { RequestEffect } from './effect.tsx';
import { RequestPath } from './request-link.tsx';
import { customerIdsOf } from './requests.tsx';
import { Tracer } from './trace.tsx';
import { Trace, type TraceNode } from './trace-node.tsx';

type Presented = ReturnType<typeof presentExchange>;

/** The page of a request: what it caused and changed, request and response. Secrets are redacted. */
export function showRequest(request: InspectorRequest): PageAnswer {
  const exchange = exchangeOf(request, request.parameters['id'] ?? '');
  if (!exchange) return recordNotFound(request);
  const presented = presentExchange(exchange);
  const props = { exchange, presented };
  const effects = new Tracer(request, exchange).effects();
  return (
    <InspectorPage
      request={request}
      section="requests"
      title={`${presented.method} ${presented.path}`}
      path={<Id id={presented.request_id} canCopy />}
      heading={<Heading {...props} />}
      actions={<Actions {...props} />}
    >
      <RequestFacts {...props} />
      {effects.length > 0 && (
        <Section id="trace" title="What it caused">
          <div class="trace">
            <Trace nodes={[{ ...traceRoot(presented), effects }]} />
          </div>
        </Section>
      )}
      <Changes changes={presented.changes} />
      <div class="columns">
        <Message {...props} of="request" />
        <Message {...props} of="response" />
      </div>
      <Notes {...props} />
    </InspectorPage>
  );
}

interface RequestProps {
  readonly exchange: Exchange;
  readonly presented: Presented;
}

/** The request, and what it did for whom. */
function Heading({ exchange, presented: { method, path } }: RequestProps) {
  const request = useRequest();
  const [id = ''] = customerIdsOf(request, exchange);
  const name = request.world.tables.customers.get(id)?.name;
  return (
    <>
      <Method method={method} />{' '}
      <bdi>
        <RequestPath path={path} />
      </bdi>
      <RequestEffect exchange={exchange} of={name} before=": " />
    </>
  );
}

function Actions({ exchange: { ordinal, operation } }: RequestProps) {
  return (
    <>
      <ActionForm action={`/requests/${ordinal}/again`}>
        <Button>Send again</Button>
      </ActionForm>
      {operation && <SendLink to={{ again: ordinal }}>Edit and send</SendLink>}
    </>
  );
}

/** A folded text to copy; nothing if it is very long. */
function Copyable({ title, text }: Record<'title' | 'text', string>) {
  if (text.length > MAX_CHARACTERS) return null;
  return (
    <details>
      <summary>{title}</summary>
      <Code label={title}>{text}</Code>
    </details>
  );
}

/** Texts that repeat the request elsewhere, and what it depends on; folded. */
function Notes({ exchange }: RequestProps) {
  const request = useRequest();
  const step = stepTextOf(exchange);
  return (
    <section>
      <Copyable title="As curl" text={curlOf(request, exchange)} />
      {step !== undefined && <Copyable title="As a fixture step" text={step} />}
      <AssumptionLinks ids={exchange.operation?.assumptions ?? []} worldKey={request.key} />
    </section>
  );
}

function RequestFacts({ presented, exchange: { took } }: RequestProps) {
  const { status, operation, at, query, owner, fault } = presented;
  const { key } = useRequest();
  return (
    <div class="about">
      <Status status={status} />
      {operation !== undefined && (
        <a href={referencePath('operation', { id: operation, key })}>{operation}</a>
      )}
      <Time as="request" at={at} />
      {query !== undefined && (
        <span>
          Query <Words text={query} />
        </span>
      )}
      <span>{took.toFixed(1)} ms</span>
      <OfAccount id={owner} />
      {fault !== undefined && <Badge text={`fault ${fault}`} tone="warn" />}
    </div>
  );
}

/** The request itself, from which its effects follow. */
function traceRoot({ method, operation, path, status }: Presented): TraceNode {
  const what = (
    <>
      <Method method={method} /> {operation ?? path}
    </>
  );
  return { kind: 'Request', what, more: [<Status status={status} />], tone: 'ok' };
}

type MessageProps = RequestProps & { readonly of: 'request' | 'response' };

function Message({ presented, of }: MessageProps) {
  const { [`${of}_headers` as const]: headers, [`${of}_body` as const]: body } = presented;
  return (
    <Section id={of} title={capitalized(of)}>
      {body === undefined ? <p>No body.</p> : <JsonView label={`Body of the ${of}`} value={body} />}
      <details>
        <summary>Headers</summary>
        <DataTable
          label={`Headers of the ${of}`}
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
  const { method, path, search, headers } = rawRequest;
  const redactIn = redactorOf(exchange);
  const { account } = headerNames(control.settings.service_name);
  return curlText({
    method,
    url: control.baseUrl + redactIn(`${path}${search && `?${search}`}`),
    key,
    headers: owner === world.accountId ? [] : [`${account}: ${owner}`],
    body: redactIn(requestBody.toString('utf8')),
    type: headers['content-type'],
  });
}
