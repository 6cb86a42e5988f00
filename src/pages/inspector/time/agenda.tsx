import type { VNode } from 'preact';
import { type AgendaItem, agendaOf } from '../../../clock/due.ts';
import type { ControlReply } from '../../../control/context.ts';
import { groupBy } from '../../../domain/collections.ts';
import { decimal, format, negate } from '../../../domain/decimal.ts';
import { type Day, dayOf } from '../../../domain/instant.ts';
import type { Context } from '../../../resources/context.ts';
import { feeOf } from '../../../resources/subscriptions/subscribed-products.ts';
import { plural } from '../../../text/wording.ts';
import { Amount, amountLines, sumsByAsset } from '../../amount.tsx';
import { DataTable, TableSection } from '../../data-table.tsx';
import { Section } from '../../parts.tsx';
import { distanceText, Time } from '../../time.tsx';
import { capitalized, numberText, quantity } from '../../wording.ts';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink, RecordLink } from '../links.tsx';

interface AgendaProps {
  /** How many of the next items to show, if not as many as a page has. */
  readonly next?: number;
}

const MAX_ITEMS = 30;

/** The scheduled items of the world, in the order in which they will run. */
export function Agenda({ next }: AgendaProps) {
  const request = useRequest();
  const { world, control, link } = request;
  const attempts = control.clocks.scheduledAttempts(world);
  const { items, total_count } = agendaOf(world, attempts, {
    offset: 0,
    limit: next ?? MAX_ITEMS,
  });
  return (
    <TableSection
      id="agenda"
      title={next === undefined ? 'Agenda' : 'Next due'}
      aside={
        next !== undefined &&
        total_count > 0 && (
          <a href={link('time', { '#': 'agenda' })}>All {numberText(total_count)}</a>
        )
      }
      rows={items}
      total={next === undefined ? total_count : items.length}
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
function dueText({ world }: InspectorRequest, items: readonly AgendaItem[], day: Day) {
  const first = items.find(({ at }) => dayOf(at) === day);
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

/** What happens at a kind of due item, to one record and to several. */
const KINDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  rate_change: ['exchange rate changes', 'exchange rates change'],
  grant_expiry: ['credit ends', 'credits end'],
  grant_start: ['credit begins', 'credits begin'],
  payment_link_expiry: ['payment link ends', 'payment links end'],
  top_up_link_expiry: ['link of a top-up ends', 'links of top-ups end'],
  portal_link_expiry: ['link to the portal ends', 'links to the portal end'],
  payment_settlement: ['payment settles', 'payments settle'],
  top_up_settlement: ['top-up settles', 'top-ups settle'],
  renewal: ['renewal', 'renewals'],
  refresh: ['credit is refreshed', 'credits are refreshed'],
  start: ['start', 'starts'],
  auto_top_up: ['automatic top-up', 'automatic top-ups'],
  delivery_attempt: ['webhook is sent', 'webhooks are sent'],
};

function wordsOf(kind: string): readonly [one: string, many: string] {
  const words = kind.replaceAll('_', ' ');
  return KINDS[kind] ?? [words, words];
}

type ItemProps = { readonly item: Partial<Omit<AgendaItem, 'at'>> & { readonly kind: string } };

/** What will happen, with a link to the record that it happens to. */
function Item({ item }: ItemProps) {
  const { subscription_id = '', grant_id = '', destination_id = '' } = item;
  const { tables } = useRequest().world;
  const subscription = tables.subscriptions.get(subscription_id);
  const grant = tables.grants.get(grant_id);
  const destination = tables.webhooks.get(destination_id);
  const record =
    (subscription && <RecordLink table="subscriptions" row={subscription} />) ??
    (grant && <RecordLink table="grants" row={grant} text={capitalized(grant.purpose)} />) ??
    (destination && <RecordLink table="webhooks" row={destination} />);
  return (
    <>
      {capitalized(wordsOf(item.kind)[0])}
      {record && [': ', record]}
    </>
  );
}

export type AdvanceReply = Extract<ControlReply<'advanceClock'>, { status: 200 }>['body'];

const MAX_REPORTED = 100;

/** What an advance did, or what it would do: in one line, then item by item. */
export function AdvanceReport({ advance }: { readonly advance: AdvanceReply }) {
  const { from, now, dry_run, total_count, items } = advance;
  const { contextOf } = useRequest();
  return (
    <Section id="done" title={dry_run ? 'What will happen' : 'What happened'}>
      <p>
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
              item.outcome && `, ${item.outcome.replaceAll('_', ' ')}`,
            ],
            '~Customer': ({ customer_id }) => <CustomerLink id={customer_id} />,
            '^#Amount': movedBy,
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
    return [plural(group.length, ...wordsOf(kind)), ...sums].join(', ');
  });
  const rest = total_count - items.length;
  return [...kinds, ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

/** The fee that an item collects, else the credit that it moves. */
const movedBy = ({ fee, movements, owner }: AdvanceReply['items'][number]) =>
  fee ? (
    <Amount amount={String(fee.amount)} asset={fee.currency} />
  ) : (
    amountLines(
      movements.map(({ amount, asset }) => ({
        ...(owner && { owner }),
        amount: String(amount),
        asset,
        isSigned: true,
      })),
    )
  );
