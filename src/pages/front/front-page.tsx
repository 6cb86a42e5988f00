import { DEFAULT_KEY } from '../../config/access.ts';
import { contextOf } from '../../control/context.ts';
import { loadDocument } from '../../spec/document.ts';
import { rowsOf } from '../../store/query/rows-of.ts';
import type { EventRow } from '../../store/records.ts';
import { uuidKey } from '../../store/schema.ts';
import type { World } from '../../store/world.ts';
import { Amount } from '../amount.tsx';
import { Code, JsonView } from '../code.tsx';
import { feeExplanation } from '../fee-explanation.ts';
import { Button } from '../forms.tsx';
import { Copy } from '../id.tsx';
import { linkTo } from '../inspector/inspector-request.ts';
import { Page } from '../page.tsx';
import { SurroundingsContext } from '../page-context.ts';
import type { PagesOptions } from '../pages.ts';
import { Alert, Method, Section } from '../parts.tsx';
import { DOCUMENTATION_PATH } from '../paths.ts';
import { firstFee, firstFeeOf } from './first-fee.ts';

const MAX_NAME = 60;

interface FrontProps {
  readonly options: PagesOptions;
  readonly baseUrl: string;
  /** Whether the user has access to the control interface. */
  readonly isOwner: boolean;
  /** Whether the user has just sent the first request. */
  readonly sent: boolean;
}

/** The front page: how to connect to the emulator, and a first request to send. Only its owner sees a key. */
export function FrontPage(props: FrontProps) {
  const { isOwner } = props;
  const operations = loadDocument('openapi').operations.size;
  return (
    <Page title="Billing emulator" width="wide" scripts={['copy.js']}>
      <h1>A billing service on your machine</h1>
      <p class="lead">
        All {operations} operations with real pricing, wallets and credit, exact to the last
        decimal, on a clock you control. No money moves.
      </p>
      <div class="front">
        <div>
          {isOwner && <FirstFee {...props} />}
          <Environment {...props} />
        </div>
        <div>
          <Connect {...props} />
          <Around {...props} />
        </div>
      </div>
    </Page>
  );
}

function FirstFee({ options, sent, baseUrl }: FrontProps) {
  const world = options.worlds.find(DEFAULT_KEY);
  if (!world) return null;
  const { settings } = options;
  const { accountId: owner } = world;
  const first = firstFee(contextOf({ world, owner, settings, baseUrl }));
  if (!first) return <Quickstart canLoad={settings.ui === 'on'} />;
  const { customer, request } = first;
  const body = JSON.stringify(request, null, 2);
  const event = firstFeeOf(world);
  const curl = `curl -i -X POST ${baseUrl}/events -H 'Authorization: Bearer ${DEFAULT_KEY}' -H 'Content-Type: application/json' -d '${body}'`;
  return (
    <Section id="first-fee" title="The first fee">
      <article>
        <p>
          <Method method="POST" /> <code>/events</code>{' '}
          <span class="muted">· usage of {customer.name.slice(0, MAX_NAME)}</span>
        </p>
        <JsonView label="Request" value={request} />
        <div class="send">
          {settings.ui === 'on' && (
            <form method="post" action={linkTo('/first-fee', {})}>
              <Button>Send it</Button>
            </form>
          )}
          <Copy text={curl} name="as curl" label="Copy as curl" />
          <small class="muted">Each event id is billed once: send it as often as you like.</small>
        </div>
        {event && <Outcome options={options} world={world} event={event} baseUrl={baseUrl} />}
        {sent && !event && (
          <Alert text="The request was rejected. The inspector shows the response." />
        )}
      </article>
    </Section>
  );
}

/** Offers a world in which there is something to bill. */
function Quickstart({ canLoad }: { readonly canLoad: boolean }) {
  return (
    <Section id="first-fee" title="The first fee">
      <article>
        <p>Nobody in this world pays for usage yet. The quickstart brings two customers who do.</p>
        {canLoad && (
          <form method="post" action={linkTo('/time/reset', {})} class="send">
            <input type="hidden" name="to" value="fixture" />
            <input type="hidden" name="from" value="empty" />
            <Button name="name" value="quickstart">
              Load the quickstart
            </Button>
          </form>
        )}
      </article>
    </Section>
  );
}

interface OutcomeProps extends Pick<FrontProps, 'options' | 'baseUrl'> {
  readonly world: World;
  readonly event: EventRow;
}

function Outcome({ options, world, event, baseUrl }: OutcomeProps) {
  const { settings } = options;
  const { tables, accountId: owner } = world;
  const context = contextOf({ world, owner, settings, baseUrl });
  const [fee] = event.fees;
  const paid = tables.transactions.get(uuidKey(event.customer_id, fee?.transaction_id ?? ''));
  const address = linkTo('event', { id: event.event_id });
  return (
    <SurroundingsContext.Provider value={{ zone: 'UTC', contextOf: () => context }}>
      <p role="status">
        <b>204</b> <span class="muted">No Content</span> · <a href={address}>the event</a> ·{' '}
        <a href={linkTo('requests', { q: 'operation:submitEvents' })}>the request</a>
      </p>
      <p class="sum">
        {fee === undefined ? (
          'No fee: no price matches the event.'
        ) : (
          <>
            {feeExplanation(context, fee)} ={' '}
            <strong>
              <Amount amount={fee.amount} asset={fee.terms.currency} />
            </strong>{' '}
            <a href={address}>Why?</a>
          </>
        )}
      </p>
      {paid && (
        <p>
          Paid from credit; <Amount amount={paid.balance_after} asset={paid.asset} /> left.
        </p>
      )}
    </SurroundingsContext.Provider>
  );
}

/** The key, if the user may know it. */
const keyFor = ({ isOwner }: FrontProps): string => (isOwner ? DEFAULT_KEY : 'key_test_…');

function Environment(props: FrontProps) {
  const { baseUrl, isOwner } = props;
  const key = keyFor(props);
  const text = `export BILLING_URL=${baseUrl}\nexport BILLING_KEY=${key}\nnpm test`;
  return (
    <Section id="tests" title="In your tests">
      <Code label="In your tests">{text}</Code>
      <p class="muted">
        {isOwner ? (
          <>
            Any other key, such as <code>key_test_mine</code>, has its own world.
          </>
        ) : (
          'The inspector asks for the token and shows the key.'
        )}
      </p>
    </Section>
  );
}

/** What a client needs to know, to copy. */
function Connect(props: FrontProps) {
  const { baseUrl } = props;
  const values = {
    'Base URL': baseUrl,
    Key: keyFor(props),
    'Webhook inbox': `${baseUrl}/_emulator/inbox/mine`,
  };
  return (
    <Section id="connect" title="Connect">
      <dl class="lines">
        {Object.entries(values).map(([name, value]) => (
          <div key={name}>
            <dt class="muted">{name}</dt>
            <dd class="row">
              <code>{value}</code> <Copy text={value} name={name} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Around({ options, isOwner }: FrontProps) {
  const world =
    isOwner && options.settings.ui === 'on' ? options.worlds.find(DEFAULT_KEY) : undefined;
  const customer = world && rowsOf(world.tables.customers, { owner: world.accountId })[0];
  return (
    <Section id="around" title="Look around">
      <ul class="lines">
        <li>
          <a href={linkTo('overview', {})}>Inspector</a>
          <small>Requests, customers, ledger, webhooks, time</small>
        </li>
        <li>
          <a href={DOCUMENTATION_PATH}>API reference</a>
          <small>Both APIs, with requests to try, and every assumption</small>
        </li>
        {customer && (
          <li>
            <form method="post" action={linkTo('/portal', {})}>
              <button type="submit" class="link" name="customer" value={customer.id}>
                Portal of {customer.name.slice(0, MAX_NAME)}
              </button>
            </form>
            <small>What your customer sees: plan, balances, payments</small>
          </li>
        )}
      </ul>
    </Section>
  );
}
