import type { Profitability } from '../../../domain/profitability.ts';
import type { PageAnswer } from '../../answer.ts';
import { TableSection } from '../../data-table.tsx';
import { Facts, Section } from '../../parts.tsx';
import { numberText } from '../../wording.ts';
import { profitByDay, profitOf } from '../customers/profit.tsx';
import { profitFigures } from '../customers/profit-tables.tsx';
import { InspectorPage, Live } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { REQUESTS } from '../requests/requests.tsx';
import { NextDue } from '../time/agenda.tsx';
import { attentionOf, findOverview, type Overview } from './attention.tsx';
import { EmptyWorld, isEmpty } from './empty-world.tsx';
import { RequestStrip } from './request-strip.tsx';

const NEXT = 5;

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
            <NextDue most={NEXT} />
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
        ...profitFigures(profit, currency),
      }}
    />
  );
}

const LATEST = 8;

function Latest() {
  const request = useRequest();
  const rows = request.control.requests.list(request.world);
  const { '#Latency': _, ...columns } = REQUESTS.columns(request);
  return (
    <TableSection
      id="latest"
      title="Latest requests"
      aside={
        rows.length > 0 && <a href={request.link('requests')}>All {numberText(rows.length)}</a>
      }
      rows={rows.slice(0, LATEST)}
      dayOf={({ at }) => at}
      columns={columns}
      empty={
        <>
          No requests yet. <a href={request.link('send')}>Send one</a>, or point your program at{' '}
          <code>{request.control.baseUrl}</code>.
        </>
      }
    />
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
            <small>{more}</small>
          </li>
        ))}
      </ul>
    </Section>
  );
}
