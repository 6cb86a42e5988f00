import express, { type Request } from 'express';
import { DEFAULT_KEY } from '../../config/access.ts';
import { contextOf } from '../../control/context.ts';
import { describeFee } from '../../control/explain/fee.ts';
import { baseUrlOf } from '../../http/connection.ts';
import type { Context } from '../../resources/context.ts';
import { loadDocument } from '../../spec/document.ts';
import { rowsOf } from '../../store/query.ts';
import type { CustomerRow, EventRow } from '../../store/records.ts';
import { Amount } from '../amount.tsx';
import { secureHeaders, sendAnswer } from '../answer.tsx';
import { Code, JsonView } from '../code.tsx';
import { curlText } from '../curl.ts';
import { Button } from '../forms.tsx';
import { Copy } from '../id.tsx';
import { isLookedAtByOwner } from '../inspector/access-gate.tsx';
import { linkTo } from '../inspector/inspector-request.ts';
import { QuickstartForm } from '../inspector/overview/empty-world.tsx';
import { FeeFormula } from '../inspector/usage/fee-formula.tsx';
import { Page } from '../page.tsx';
import { controlOf, type PagesOptions } from '../page-control.ts';
import { Method, Section, Status } from '../parts.tsx';
import { DOCUMENTATION_PATH } from '../paths.ts';
import { shortName } from '../wording.ts';
import { type FirstFeeRequest, firstFee, firstFeeOf } from './first-fee.ts';

interface FrontProps {
  readonly baseUrl: string;
  /** The default world; undefined if the user has no access to the control API. */
  readonly context: Context | undefined;
}

/** The front page: how to connect to the emulator, and a first request to send. Only its owner sees a key. */
function FrontPage(props: FrontProps) {
  const { context } = props;
  return (
    <Page title="Billing emulator" scripts={['copy.js']} context={context}>
      <h1>A billing service on your machine</h1>
      <p class="lead">
        All {loadDocument('openapi').operations.size} operations with real pricing, wallets and
        credit, exact to the last decimal, on a clock you control. No money moves.
      </p>
      <div class="columns wide-first front">
        <div>{context && <FirstFee context={context} />}</div>
        <div>
          <Environment {...props} />
          <Around customer={context && firstCustomer(context)} />
        </div>
      </div>
    </Page>
  );
}

const firstCustomer = ({ tables, owner }: Context) => rowsOf(tables.customers, { owner })[0];

interface FirstFeeProps {
  readonly context: Context;
}

function FirstFee(props: FirstFeeProps) {
  const first = firstFee(props.context);
  return (
    <Section id="first-fee" title="The first fee">
      <article>{first ? <Example {...props} {...first} /> : <Quickstart />}</article>
    </Section>
  );
}

function Example({ context, customer, request }: FirstFeeProps & FirstFeeRequest) {
  const event = firstFeeOf(context);
  const curl = curlText({
    method: 'POST',
    url: `${context.baseUrl}/events`,
    key: DEFAULT_KEY,
    body: JSON.stringify(request, null, 2),
  });
  return (
    <>
      <p>
        <Method method="POST" /> <code>/events</code>{' '}
        <span class="muted">· usage of {shortName(customer.name)}</span>
      </p>
      <JsonView label="Request" value={request} />
      <div class="buttons">
        <form method="post" action={linkTo('/first-fee', {})}>
          <Button isMain>Send it</Button>
        </form>
        <Copy text={curl} name="as curl" label="Copy as curl" />
      </div>
      <p class="muted">Each event id is billed once: send it as often as you like.</p>
      {event && <Outcome context={context} event={event} />}
    </>
  );
}

/** Offers a world in which there is something to bill. */
function Quickstart() {
  return (
    <>
      <p>Nobody in this world pays for usage yet. The quickstart brings two customers who do.</p>
      <QuickstartForm worldKey={DEFAULT_KEY} text="Load the quickstart" />
    </>
  );
}

interface OutcomeProps {
  readonly context: Context;
  readonly event: EventRow;
}

function Outcome({ context, event }: OutcomeProps) {
  const [fee] = event.fees;
  const explained = fee && describeFee(context, event, fee);
  return (
    <>
      <p role="status">
        <Status status={204} /> ·{' '}
        <a href={linkTo('requests', { q: 'operation:submitEvents' })}>the request</a>
      </p>
      {explained ? (
        <FeeFormula explanation={explained} />
      ) : (
        <p>No fee: no price matches the event.</p>
      )}
      <p>
        {explained?.wallet && (
          <>
            {Number(explained.wallet.debt) > 0 ? 'More than credit covers;' : 'Paid from credit;'}{' '}
            <Amount amount={String(explained.wallet.balance_after)} asset={explained.asset} /> left.{' '}
          </>
        )}
        <a href={linkTo('event', { id: event.event_id })}>Why?</a>
      </p>
    </>
  );
}

function Environment({ baseUrl, context }: FrontProps) {
  const key = context ? DEFAULT_KEY : 'key_test_…';
  const text = `export BILLING_URL=${baseUrl}\nexport BILLING_KEY=${key}\nnpm test`;
  return (
    <Section id="tests" title="In your tests">
      <Code label="In your tests">{text}</Code>
      <p class="muted">
        Any other key, such as <code>key_test_mine</code>, has its own world.
      </p>
    </Section>
  );
}

/** Links to the other pages. The portal is that of a customer. */
function Around({ customer }: { readonly customer: CustomerRow | undefined }) {
  return (
    <Section id="around" title="Look around">
      <ul class="rows">
        <li>
          <a href={linkTo('overview', {})}>Inspector</a>
          <small class="beneath">Requests, customers, ledger, webhooks, time</small>
        </li>
        <li>
          <a href={DOCUMENTATION_PATH}>API reference</a>
          <small class="beneath">Both APIs, with requests to try, and every assumption</small>
        </li>
        {customer && (
          <li>
            <form method="post" action={linkTo('/portal', {})}>
              <button type="submit" class="link" name="customer" value={customer.id}>
                Portal of {shortName(customer.name)}
              </button>
            </form>
            <small class="beneath">What your customer sees: plan, balances, payments</small>
          </li>
        )}
      </ul>
    </Section>
  );
}

/** Serves the front page to browsers at the base address. All other clients get the usual 404. */
export function createFrontRouter(options: PagesOptions): express.Router {
  const router = express.Router();
  router.get(['/', '/_emulator'], (request, response, next) => {
    if (options.settings.ui === 'off' || !isBrowser(request)) return next();
    secureHeaders(request, response, () => {});
    const { settings, worlds } = options;
    const world = isLookedAtByOwner(request, settings) ? worlds.find(DEFAULT_KEY) : undefined;
    const page = FrontPage({
      baseUrl: baseUrlOf(settings, request.headers.host, request.secure),
      context: world && contextOf(controlOf(options, request, world)),
    });
    sendAnswer(response, page);
  });
  return router;
}

const isBrowser = (request: Request): boolean =>
  (request.headers.accept ?? '').includes('text/html');
