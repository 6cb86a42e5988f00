import type { VNode } from 'preact';
import { type AgendaItem, agendaOf } from '../../../clock/agenda.ts';
import { decimal, format, negate } from '../../../domain/decimal.ts';
import { feeOf } from '../../../resources/subscriptions/subscribed-products.ts';
import { Amount } from '../../amount.tsx';
import { TableSection } from '../../data-table.tsx';
import { Time } from '../../time.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink, RecordLink } from '../links.tsx';

interface AgendaProps {
  /** The maximum number of items to show. */
  readonly most: number;
}

/** The scheduled items of the world, in the order in which they will run. */
export function Agenda({ most }: AgendaProps) {
  const request = useRequest();
  const { world, control } = request;
  const attempts = control.clocks.scheduledAttempts(world);
  const agenda = agendaOf(world, attempts, { offset: 0, limit: most });
  return (
    <TableSection
      id="agenda"
      title="Agenda"
      rows={agenda.items}
      total={agenda.total_count}
      dayOf={({ at }) => at}
      columns={{
        What: (item) => <Item item={item} />,
        Customer: ({ customer_id }) => <CustomerLink id={customer_id} />,
        '#Amount': (item) => amountOf(request, item),
        '^Time': ({ at }) => <Time as="clock" at={at} />,
      }}
      empty="Nothing is scheduled. Renewals, expiries and retries of webhooks appear here."
    />
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

/** The kinds of due items in words. */
const KINDS: Readonly<Record<string, string>> = {
  grant_expiry: 'Credit ends',
  grant_start: 'Credit begins',
  delivery_attempt: 'Webhook is tried',
  rate_change: 'Exchange rate changes',
  auto_top_up: 'Automatic top-up',
};

export const kindText = (kind: string): string => {
  const text = KINDS[kind] ?? kind.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

type ItemProps = { readonly item: Partial<Omit<AgendaItem, 'at'>> & { readonly kind: string } };

/** What will happen, with a link to the record that it happens to. */
export function Item({ item }: ItemProps) {
  const { world } = useRequest();
  const { kind, subscription_id = '', grant_id = '', destination_id = '' } = item;
  const subscription = world.tables.subscriptions.get(subscription_id);
  const grant = world.tables.grants.get(grant_id);
  const destination = world.tables.webhooks.get(destination_id);
  const codes = subscription?.products.map(({ code }) => code).join(', ');
  return (
    <>
      {kindText(kind)}{' '}
      {subscription && <RecordLink table="subscriptions" row={subscription} text={codes} />}
      {grant && <RecordLink table="grants" row={grant} text={grant.purpose} />}
      {destination && <RecordLink table="webhooks" row={destination} text={destination.url} />}
    </>
  );
}
