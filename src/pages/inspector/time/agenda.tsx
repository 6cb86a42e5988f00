import type { VNode } from 'preact';
import { type AgendaItem, agendaOf } from '../../../clock/due.ts';
import { decimal, format, negate } from '../../../domain/decimal.ts';
import { feeOf } from '../../../resources/subscriptions/subscribed-products.ts';
import { Amount } from '../../amount.tsx';
import { TableSection } from '../../data-table.tsx';
import { Section } from '../../parts.tsx';
import { distanceText, Time } from '../../time.tsx';
import { capitalized, numberText } from '../../wording.ts';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink, RecordLink } from '../links.tsx';

/** The next items of the world, in the order in which they will run, and how many there are. */
function scheduled({ world, control }: InspectorRequest, most: number) {
  const attempts = control.clocks.scheduledAttempts(world);
  return agendaOf(world, attempts, { offset: 0, limit: most });
}

interface AgendaProps {
  /** The maximum number of items to show. */
  readonly most: number;
}

const NOTHING = 'Nothing is scheduled. Renewals, expiries and retries of webhooks appear here.';

/** The scheduled items of the world as a table. */
export function Agenda({ most }: AgendaProps) {
  const request = useRequest();
  const { items, total_count } = scheduled(request, most);
  return (
    <TableSection
      id="agenda"
      title="Agenda"
      rows={items}
      total={total_count}
      dayOf={({ at }) => at}
      columns={{
        What: (item) => <Item item={item} />,
        Customer: ({ customer_id }) => <CustomerLink id={customer_id} />,
        '#Amount': (item) => amountOf(request, item),
        '^Time': ({ at }) => <Time as="clock" at={at} />,
      }}
      empty={NOTHING}
    />
  );
}

/** The next scheduled items in a sentence each, with a link to all of them. */
export function NextDue({ most }: AgendaProps) {
  const request = useRequest();
  const { items, total_count } = scheduled(request, most);
  const all = `All ${numberText(total_count)}`;
  return (
    <Section
      id="agenda"
      title="Next due"
      aside={total_count > 0 && <a href={request.link('time', { '#': 'agenda' })}>{all}</a>}
    >
      {items.length === 0 && <p class="muted">{NOTHING}</p>}
      <ul class="rows due">
        {items.map((item, place) => (
          <li key={place}>
            <span class="muted">{distanceText(item.at, request.world.now)}</span>
            <span>
              <CustomerLink id={item.customer_id} />
              {item.customer_id !== undefined && ': '}
              <Item item={item} /> {amountOf(request, item)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
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

/** What happens at each kind of due item; `_` is the record that it happens to. */
const KINDS: Readonly<Record<string, string>> = {
  rate_change: 'exchange rate changes',
  grant_expiry: '_ credit ends',
  grant_start: '_ credit begins',
  payment_link_expiry: 'payment link of _ ends',
  top_up_link_expiry: 'link of a top-up ends',
  portal_link_expiry: 'link to the portal ends',
  payment_settlement: 'payment of _ settles',
  top_up_settlement: 'top-up settles',
  renewal: 'renewal of _',
  refresh: 'credit of _ is refreshed',
  start: 'start of _',
  auto_top_up: 'automatic top-up',
  delivery_attempt: 'webhook is sent to _',
};

/** What happens at a kind of due item, without the record that it happens to. */
export const kindText = (kind: string): string =>
  wordsOf(kind)
    .replace(/( of| to)? ?_/, '')
    .trim();

const wordsOf = (kind: string): string => KINDS[kind] ?? kind.replaceAll('_', ' ');

type ItemProps = { readonly item: Partial<Omit<AgendaItem, 'at'>> & { readonly kind: string } };

/** What will happen, with a link to the record that it happens to. */
export function Item({ item }: ItemProps) {
  const [before = '', after] = wordsOf(item.kind).split('_');
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
