import type { VNode } from 'preact';
import { type AgendaItem, agendaOf } from '../../../clock/due.ts';
import type { ControlReply } from '../../../control/context.ts';
import { groupBy } from '../../../domain/collections.ts';
import { decimal, format, negate } from '../../../domain/decimal.ts';
import type { Day } from '../../../domain/instant.ts';
import type { Context } from '../../../resources/context.ts';
import { feeOf } from '../../../resources/subscriptions/subscribed-products.ts';
import { plural } from '../../../text/wording.ts';
import { Amount, sumsByAsset } from '../../amount.tsx';
import { DataTable, TableSection } from '../../data-table.tsx';
import { Section } from '../../parts.tsx';
import { dayIn, distanceText, Time } from '../../time.tsx';
import { capitalized, numberText, quantity } from '../../wording.ts';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { AccountName, CustomerLink, RecordLink } from '../links.tsx';

interface AgendaProps {
  /** How many of the next items to show, if not as many as a page has. */
  readonly next?: number;
}

const MAX_ITEMS = 30;
/** So many are shown on request. */
const ALL_ITEMS = 1_000;

/** The scheduled items of the world, in the order in which they will run. */
export function Agenda({ next }: AgendaProps) {
  const request = useRequest();
  const { world, control, link, query } = request;
  const isWhole = next === undefined && query('agenda') === 'all';
  const limit = next ?? (isWhole ? ALL_ITEMS : MAX_ITEMS);
  const attempts = control.clocks.scheduledAttempts(world);
  const { items, total_count } = agendaOf(world, attempts, { offset: 0, limit });
  const hasMore = !isWhole && total_count > (next === undefined ? limit : 0);
  return (
    <TableSection
      id="agenda"
      title={next === undefined ? 'Agenda' : 'Next due'}
      aside={
        hasMore && (
          <a href={link('time', { agenda: 'all', '#': 'agenda' })}>All {numberText(total_count)}</a>
        )
      }
      rows={items}
      total={isWhole ? total_count : items.length}
      time={{ name: 'Due', of: ({ at }) => at, aboutDay: (day) => dueText(request, items, day) }}
      columns={{
        What: (item) => (
          <>
            <Item item={item} />
            <span class="beneath">
              <CustomerLink id={item.customer_id} />
            </span>
          </>
        ),
        '^#Amount': (item) => amountOf(request, item),
      }}
      empty="Nothing is scheduled. Renewals, expiries and retries of webhooks appear here."
    />
  );
}

/** How long it is until the first item of a day. */
function dueText({ world, zone }: InspectorRequest, items: readonly AgendaItem[], day: Day) {
  const first = items.find(({ at }) => dayIn(at, zone) === day);
  return first && distanceText(first.at, world.now);
}

/** The fee that a renewal or a start will collect, or the credit that will expire; undefined for other items. */
function amountOf(request: InspectorRequest, item: AgendaItem): VNode | undefined {
  const { tables } = request.world;
  const { kind, grant_id = '', subscription_id = '' } = item;
  const grant = kind === 'grant_expiry' && tables.grants.get(grant_id);
  if (grant) {
    const lost = format(negate(decimal(grant.remaining)));
    return <Amount isSigned owner={grant.owner} amount={lost} asset={grant.asset} />;
  }
  const subscription =
    (kind === 'renewal' || kind === 'start') && tables.subscriptions.get(subscription_id);
  const fee = subscription && feeOf(request.contextOf(subscription.owner), subscription);
  return fee ? <Amount amount={format(fee.amount)} asset={fee.currency} /> : undefined;
}

/** What happens at a kind of due item: to one record, whose place is `_`, and after a number of items. */
interface KindWords {
  readonly one: string;
  readonly many: string;
}

const KINDS: Readonly<Record<string, KindWords>> = {
  rate_change: { one: 'exchange rate changes', many: 'exchange rates change' },
  grant_expiry: { one: '_ credit ends', many: 'credits end' },
  grant_start: { one: '_ credit begins', many: 'credits begin' },
  payment_link_expiry: { one: 'payment link of _ ends', many: 'payment links end' },
  top_up_link_expiry: { one: 'link of a top-up ends', many: 'links of top-ups end' },
  portal_link_expiry: { one: 'link to the portal ends', many: 'links to the portal end' },
  payment_settlement: { one: 'payment of _ settles', many: 'payments settle' },
  top_up_settlement: { one: 'top-up settles', many: 'top-ups settle' },
  renewal: { one: 'renewal of _', many: 'renewals' },
  refresh: { one: 'credit of _ is refreshed', many: 'credits are refreshed' },
  start: { one: 'start of _', many: 'starts' },
  auto_top_up: { one: 'automatic top-up', many: 'automatic top-ups' },
  delivery_attempt: { one: 'webhook is sent to _', many: 'webhooks are sent' },
};

function wordsOf(kind: string): KindWords {
  const words = kind.replaceAll('_', ' ');
  return KINDS[kind] ?? { one: words, many: words };
}

/** Matches the place of a record, with the word before it. */
const PLACE = / (?:of|to) _|_ /;

type ItemProps = { readonly item: Partial<Omit<AgendaItem, 'at'>> & { readonly kind: string } };

/** What will happen, with a link to the record that it happens to. */
export function Item({ item }: ItemProps) {
  const [before = '', after] = wordsOf(item.kind).one.split('_');
  return (
    <>
      {capitalized(before)}
      {after !== undefined && <Concerned {...item} />}
      {after}
    </>
  );
}

/** The record that an item happens to, as a link. */
function Concerned({
  subscription_id = '',
  grant_id = '',
  destination_id = '',
}: ItemProps['item']) {
  const { tables } = useRequest().world;
  const subscription = tables.subscriptions.get(subscription_id);
  if (subscription) return <RecordLink table="subscriptions" row={subscription} />;
  const grant = tables.grants.get(grant_id);
  if (grant) return <RecordLink table="grants" row={grant} text={capitalized(grant.purpose)} />;
  const destination = tables.webhooks.get(destination_id);
  return destination ? <RecordLink table="webhooks" row={destination} /> : <>one that is gone</>;
}

export type AdvanceReply = Extract<ControlReply<'advanceClock'>, { status: 200 }>['body'];

const MAX_REPORTED = 100;

/** What an advance did, or what it would do: in one line, then item by item. */
export function AdvanceReport({ advance }: { readonly advance: AdvanceReply }) {
  const { from, now, dry_run, total_count, items } = advance;
  const { contextOf } = useRequest();
  return (
    <Section id="done" title={dry_run ? 'What will happen' : 'What happened'}>
      <p data-testid="summary">
        <Time as="exact" at={from} /> to <Time as="exact" at={now} />:{' '}
        {total_count === 0 ? 'nothing is due' : <strong>{summaryOf(advance, contextOf())}</strong>}.
      </p>
      {items.length > 0 && (
        <DataTable
          label="Items"
          rows={items}
          total={total_count}
          most={MAX_REPORTED}
          time={{ of: ({ at }) => at }}
          columns={{
            What: (item) => [
              <Item item={item} />,
              item.outcome && `: ${item.outcome.replaceAll('_', ' ')}`,
            ],
            '~Customer': ({ customer_id }) => <CustomerLink id={customer_id} />,
            '^#Fee': ({ fee }) =>
              fee && <Amount amount={String(fee.amount)} asset={fee.currency} />,
            '^#Transactions': transactionsOf,
          }}
        />
      )}
    </Section>
  );
}

/** Counts the items by kind, with the sum of their fees, such as `12 renewals, $588.00; 3 credits end`. */
function summaryOf({ items, total_count }: AdvanceReply, context: Context): string {
  const kinds = [...groupBy(items, ({ kind }) => kind)].map(([kind, group]) => {
    const fees = group.flatMap(({ fee }) =>
      fee ? { amount: String(fee.amount), asset: fee.currency } : [],
    );
    const sums = sumsByAsset(fees).map(({ amount, asset }) => quantity(context, amount, asset));
    const { one, many } = wordsOf(kind);
    return [plural(group.length, one.replace(PLACE, ''), many), ...sums].join(', ');
  });
  const rest = total_count - items.length;
  return [...kinds, ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

/** The amounts that an item moved, each with its wallet account unless that is the default one of its asset. */
const transactionsOf = ({ owner, movements }: AdvanceReply['items'][number]) =>
  movements.map(({ transaction_id, account_id, amount, asset }) => (
    <div key={transaction_id}>
      {account_id !== `default:${asset}` && <AccountName id={account_id} asset={asset} />}{' '}
      <Amount isSigned amount={String(amount)} asset={asset} {...(owner && { owner })} />
    </div>
  ));
