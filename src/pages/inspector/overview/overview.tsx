import { agendaOf } from '../../../clock/agenda.ts';
import { format } from '../../../domain/decimal.ts';
import type { Profitability } from '../../../domain/profitability.ts';
import { Amount } from '../../amount.tsx';
import type { PageAnswer } from '../../answer.ts';
import { TableSection } from '../../data-table.tsx';
import { Sentence } from '../../id.tsx';
import { Facts, Section, Status, Words } from '../../parts.tsx';
import { distanceText, Time } from '../../time.tsx';
import { marginText } from '../../wording.ts';
import { profitByDay, profitOf } from '../customers/profit.tsx';
import { InspectorPage, Live } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink } from '../links.tsx';
import { effectText } from '../requests/effect-text.ts';
import { RequestLink } from '../requests/origin.tsx';
import { customerIdsOf } from '../requests/requests.tsx';
import { Item } from '../time/agenda.tsx';
import { attentionOf, findOverview, type Overview } from './attention.ts';
import { EmptyWorld, isEmpty } from './empty-world.tsx';
import { RequestStrip } from './request-strip.tsx';

/** The overview of a world: records, latest requests and problems. */
export async function showHome(request: InspectorRequest): Promise<PageAnswer> {
  const overview = await findOverview(request.world.tables);
  const profit = profitOf(await profitByDay(request));
  return (
    <InspectorPage request={request} section="overview">
      <Live id="overview">
        {isEmpty(request.world) && <EmptyWorld />}
        <Figures active={overview.active} profit={profit} />
        <RequestStrip />
        <div class="columns wide-first">
          <Latest />
          <div>
            <Attention overview={overview} />
            <NextDue />
          </div>
        </div>
      </Live>
    </InspectorPage>
  );
}

interface FiguresProps {
  readonly active: number;
  readonly profit: Profitability;
}

function Figures({ active, profit }: FiguresProps) {
  const request = useRequest();
  const { tables } = request.world;
  const { reporting_currency: currency } = request.control.settings;
  const counted = (page: 'customers' | 'usage', count: number, of: string) => (
    <a href={request.link(page)} aria-label={`${numberText(count)} ${of}`}>
      {numberText(count)}
    </a>
  );
  return (
    <Facts
      areFigures
      facts={{
        Customers: counted('customers', tables.customers.size, 'customers'),
        'Active subscriptions': (
          <>
            {numberText(active)}{' '}
            <small class="muted">of {numberText(tables.subscriptions.size)}</small>
          </>
        ),
        'Usage events': counted('usage', tables.events.size, 'usage events'),
        Revenue: <Amount amount={format(profit.gross_revenue)} asset={currency} />,
        Cost: <Amount amount={format(profit.total_costs)} asset={currency} />,
        Margin: marginText(profit),
      }}
    />
  );
}

const numberText = (count: number): string => count.toLocaleString('en');

const LATEST = 8;

function Latest() {
  const request = useRequest();
  const { control, world, link } = request;
  const rows = control.requests.list(world);
  return (
    <TableSection
      id="latest"
      title="Latest requests"
      rows={rows.slice(0, LATEST)}
      dayOf={({ at }) => at}
      columns={{
        Request: (exchange) => <RequestLink exchange={exchange} />,
        '^Status': ({ rawResponse }) => <Status status={rawResponse.status} />,
        Customer: (exchange) => <CustomerLink id={customerIdsOf(request, exchange)[0]} />,
        'What it did': (exchange) => <Words text={effectText(request, exchange)} />,
        Time: ({ at }) => <Time as="request" at={at} />,
      }}
      empty="No requests yet."
    >
      {rows.length > 0 && (
        <p>
          <a href={link('requests')}>All {numberText(rows.length)}</a>
        </p>
      )}
    </TableSection>
  );
}

function Attention({ overview }: { readonly overview: Overview }) {
  const request = useRequest();
  const items = attentionOf(request, overview);
  return (
    <Section id="attention" title="Needs attention">
      {items.length === 0 && <p class="muted">Nothing needs attention.</p>}
      <ul class="attention">
        {items.map(({ what, more, href, tone }) => (
          <li key={href} class={tone}>
            <a href={href}>{what}</a>
            <small>
              <Sentence text={more} />
            </small>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const NEXT = 5;

function NextDue() {
  const { world, control, link } = useRequest();
  const attempts = control.clocks.scheduledAttempts(world);
  const { items } = agendaOf(world, attempts, { offset: 0, limit: NEXT });
  return (
    <TableSection
      id="next"
      title="Next due"
      rows={items}
      columns={{
        What: (item) => <Item item={item} />,
        Customer: ({ customer_id }) => <CustomerLink id={customer_id} />,
        '^When': ({ at }) => <time dateTime={at}>{distanceText(at, world.now)}</time>,
      }}
      empty="Nothing is scheduled."
    >
      {items.length > 0 && <a href={link('time', { '#': 'agenda' })}>Agenda</a>}
    </TableSection>
  );
}
