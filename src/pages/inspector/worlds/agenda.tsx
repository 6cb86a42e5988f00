import type { VNode } from 'preact';
import { type AgendaItem, agendaOf } from '../../../clock/agenda.ts';
import { decimal, format, negate } from '../../../domain/decimal.ts';
import { feeOf } from '../../../resources/subscriptions/subscribed-products.ts';
import { Amount } from '../../amount.tsx';
import { DataTable } from '../../data-table.tsx';
import { Id } from '../../id.tsx';
import { Section } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { Live } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink } from '../links.tsx';

const MAX_ITEMS = 100;

/** The scheduled items of the world, in the order in which they will run. */
export function Agenda() {
  const request = useRequest();
  const { world, control } = request;
  const attempts = control.clocks.scheduledAttempts(world);
  const agenda = agendaOf(world, attempts, { offset: 0, limit: MAX_ITEMS });
  return (
    <Section id="agenda" title="Agenda">
      <Live id="agenda-list">
        <DataTable
          label="Agenda"
          rows={agenda.items}
          total={agenda.total_count}
          dayOf={({ at }) => at}
          columns={{
            What: ({ kind }) => kind.replaceAll('_', ' '),
            Customer: ({ customer_id }) => <CustomerLink id={customer_id} />,
            About: (item) => <About item={item} />,
            '#Amount': (item) => amountOf(request, item),
            '^Time': ({ at }) => <Time as="clock" at={at} />,
          }}
          empty="Nothing is scheduled."
        />
      </Live>
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

/** The identifiers of an item, except its customer. */
export function About({ item }: { readonly item: Partial<Omit<AgendaItem, 'at'>> }) {
  const ids = Object.entries(item).filter(
    ([name, value]) =>
      typeof value === 'string' && name !== 'customer_id' && /(_id|^asset|^attempt)$/.test(name),
  );
  return (
    <>
      {ids.map(([name, value], place) => (
        <>
          {place > 0 && ', '}
          {name.replace(/_id$/, '').replaceAll('_', ' ')}{' '}
          {name.endsWith('_id') ? <Id id={String(value)} /> : String(value)}
        </>
      ))}
    </>
  );
}
