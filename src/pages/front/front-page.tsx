import { DEFAULT_KEY } from '../../config/access.ts';
import { contextOf } from '../../control/context.ts';
import { loadDocument } from '../../spec/document.ts';
import type { EventRow } from '../../store/records.ts';
import { uuidKey } from '../../store/schema.ts';
import type { World } from '../../store/world.ts';
import { Amount } from '../amount.tsx';
import { feeExplanation } from '../fee-explanation.ts';
import { Button } from '../forms.tsx';
import { Copy } from '../id.tsx';
import { linkTo } from '../inspector/inspector-request.ts';
import { Page } from '../page.tsx';
import { SurroundingsContext } from '../page-context.ts';
import type { PagesOptions } from '../pages.ts';
import { Alert, Method, ScrollArea, Section } from '../parts.tsx';
import { DOCUMENTATION_PATH } from '../paths.ts';
import { firstFee, firstFeeOf } from './first-fee.ts';

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
  const { isOwner, options } = props;
  const operations = loadDocument('openapi').operations.size;
  return (
    <Page title="Billing emulator" width="wide" styles={['front.css']} scripts={['copy.js']}>
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
          <Around canSend={isOwner && options.settings.ui === 'on'} />
        </div>
      </div>
    </Page>
  );
}

function FirstFee({ options, sent, baseUrl }: FrontProps) {
  const world = options.worlds.find(DEFAULT_KEY);
  if (!world) return null;
  const body = JSON.stringify(firstFee(world), null, 2);
  const event = firstFeeOf(world);
  const curl = `curl -i -X POST ${baseUrl}/events -H 'Authorization: Bearer ${DEFAULT_KEY}' -H 'Content-Type: application/json' -d '${body}'`;
  return (
    <Section id="first-fee" title="The first fee">
      <div class="exchange">
        <p>
          <Method method="POST" /> <code>/events</code>{' '}
          <span class="muted">Acme uses 417,000 tokens of the large model</span>
        </p>
        <ScrollArea label="Request">
          <pre>{body}</pre>
        </ScrollArea>
        <div class="send">
          {options.settings.ui === 'on' && (
            <form method="post" action={linkTo('/first-fee', {})}>
              <Button>Send it</Button>
            </form>
          )}
          <Copy text={curl} name="as curl" label="Copy as curl" />
          <small class="muted">Each event id is billed once: send it as often as you like.</small>
        </div>
        {event && <Outcome options={options} world={world} event={event} baseUrl={baseUrl} />}
        {sent && !event && (
          <Alert text="The request was rejected: this world has no customer acme who pays for tokens. The inspector shows the response." />
        )}
      </div>
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
  const address = linkTo(`/events/${event.event_id}`, {});
  return (
    <SurroundingsContext.Provider value={{ zone: 'UTC', contextOf: () => context }}>
      <p role="status">
        <b>204</b> <span class="muted">No Content</span> · <a href={address}>the event</a> ·{' '}
        <a href={linkTo('/requests', { q: 'operation:submitEvents' })}>the request</a>
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
          Paid from Acme's credit; <Amount amount={paid.balance_after} asset={paid.asset} /> left.
        </p>
      )}
    </SurroundingsContext.Provider>
  );
}

function Environment({ baseUrl, isOwner }: FrontProps) {
  const key = isOwner ? DEFAULT_KEY : 'key_test_…';
  const text = `export BILLING_URL=${baseUrl}\nexport BILLING_KEY=${key}\nnpm test`;
  return (
    <Section id="tests" title="In your tests">
      <ScrollArea label="In your tests">
        <pre>{text}</pre>
      </ScrollArea>
      <div class="lines">
        <Copy text={text} name="the lines for tests" label="Copy" />
        <span>
          Any other key, such as <code>key_test_mine</code>, has its own world.
        </span>
      </div>
    </Section>
  );
}

function Connect({ baseUrl, isOwner }: FrontProps) {
  const lines = { 'Base URL': baseUrl, ...(isOwner && { Key: DEFAULT_KEY }) };
  return (
    <Section id="connect" title="Connect">
      <dl class="connect">
        {Object.entries(lines).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code> <Copy text={value} name={name} />
            </dd>
          </div>
        ))}
      </dl>
      {!isOwner && <p>The inspector asks for the token and shows the key.</p>}
    </Section>
  );
}

function Around({ canSend }: { readonly canSend: boolean }) {
  return (
    <Section id="around" title="Look around">
      <ul class="around">
        <li>
          <a href={linkTo('', {})}>Inspector</a>
          <small>Requests, customers, ledger, webhooks, the clock</small>
        </li>
        <li>
          <a href={DOCUMENTATION_PATH}>API documentation</a>
          <small>Both APIs, with calls you can run</small>
        </li>
        {canSend && (
          <li>
            <form method="post" action={linkTo('/portal', {})}>
              <input type="hidden" name="customer" value="acme" />
              <Button isSecondary>Acme's portal</Button>
            </form>
            <small>What your customer sees: balance, plan, payments</small>
          </li>
        )}
      </ul>
    </Section>
  );
}
