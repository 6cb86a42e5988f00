import type { VNode } from 'preact';
import { type AgendaItem, agendaOf } from '../../../clock/due.ts';
import { decimal, format, negate } from '../../../domain/decimal.ts';
import { type Day, dayOf } from '../../../domain/instant.ts';
import { feeOf } from '../../../resources/subscriptions/subscribed-products.ts';
import { Amount } from '../../amount.tsx';
import { TableSection } from '../../data-table.tsx';
import { distanceText } from '../../time.tsx';
import { capitalized, numberText } from '../../wording.ts';
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

export function dueWords(kind: string): readonly [one: string, many: string] {
  const words = kind.replaceAll('_', ' ');
  return KINDS[kind] ?? [words, words];
}

type ItemProps = { readonly item: Partial<Omit<AgendaItem, 'at'>> & { readonly kind: string } };

/** What will happen, with a link to the record that it happens to. */
export function Item({ item }: ItemProps) {
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
      {capitalized(dueWords(item.kind)[0])}
      {record && [': ', record]}
    </>
  );
}
