import { groupBy } from '../../../domain/collections.ts';
import type { Exchange } from '../../../http/log/exchange.ts';
import type { PageAnswer } from '../../answer.tsx';
import { Chart, Legend } from '../../charts/chart.tsx';
import { TableSection } from '../../data-table.tsx';
import { Sentence } from '../../id.tsx';
import { Facts, Section, toneOf } from '../../parts.tsx';
import { numberText } from '../../wording.ts';
import { profitFigures } from '../customers/profit.tsx';
import { InspectorPage, Live } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { REQUESTS } from '../requests/requests.tsx';
import { Agenda } from '../time/agenda.tsx';
import { WorldActions } from '../time/snapshots.tsx';
import { attentionOf, findOverview, type Overview } from './attention.tsx';
import { EmptyWorld, isEmpty } from './empty-world.tsx';

const NEXT = 5;

/** The overview of a world: records, latest requests and problems. */
export async function showHome(request: InspectorRequest): Promise<PageAnswer> {
  const overview = await findOverview(request);
  return (
    <InspectorPage request={request} section="overview" actions={<WorldActions />}>
      <Live id="overview">
        {isEmpty(request.world) && <EmptyWorld />}
        <Figures overview={overview} />
        <RequestStrip />
        <div class="columns">
          <Attention overview={overview} />
          <Agenda next={NEXT} />
        </div>
        <Latest />
      </Live>
    </InspectorPage>
  );
}

interface OverviewProps {
  readonly overview: Overview;
}

function Figures({ overview: { active, profit } }: OverviewProps) {
  const request = useRequest();
  const { tables } = request.world;
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
        ...profitFigures(request, profit),
      }}
    />
  );
}

const LATEST = 8;

function Latest() {
  const request = useRequest();
  const rows = request.control.requests.list(request.world);
  return (
    <TableSection
      id="latest"
      title="Latest requests"
      aside={
        rows.length > 0 && <a href={request.link('requests')}>All {numberText(rows.length)}</a>
      }
      rows={rows.slice(0, LATEST)}
      time={REQUESTS.time}
      columns={REQUESTS.columns(request)}
      empty={
        <>
          No requests yet. <a href={request.link('send')}>Send one</a>, or point your program at{' '}
          <code>{request.control.baseUrl}</code>.
        </>
      }
    />
  );
}

function Attention({ overview }: OverviewProps) {
  const request = useRequest();
  const items = attentionOf(request, overview);
  return (
    <Section id="attention" title="Needs attention" aside={items.length > 0 && items.length}>
      {items.length === 0 && <p class="muted">Nothing needs attention.</p>}
      <ul class="rows">
        {items.map(({ what, more, href, tone }) => (
          <li key={what}>
            <span class={`mark ${tone}`}>
              <a href={href}>{what}</a>
            </span>
            <small class="beneath">
              <Sentence text={more} />
            </small>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const MINUTES = 60;
const MINUTE = 60_000;
const TONES = ['ok', 'warn', 'fail'] as const;

/** The requests of the last hour (machine time), by minute and by result. */
function RequestStrip() {
  const { control, world } = useRequest();
  const now = control.actions.machine();
  const exchanges = control.requests
    .list(world)
    .filter(({ receivedAt }) => receivedAt > now - MINUTES * MINUTE);
  if (exchanges.length === 0) return null;
  const byMinute = groupBy(exchanges, ({ receivedAt }) =>
    Math.floor(Math.max(0, now - receivedAt) / MINUTE),
  );
  const sums = countsOf(exchanges);
  return (
    <Section id="strip" title="Requests of the last hour" aside={<Results sums={sums} />}>
      <Chart
        summary={`Requests of the last hour by minute: ${resultsText(sums)}.`}
        unit=""
        height={72}
        parts={['two', 'warn', 'fail']}
        bars={Array.from({ length: MINUTES }, (_, place) => {
          const ago = MINUTES - 1 - place;
          const heights = countsOf(byMinute.get(ago) ?? []);
          return {
            label: labelOf(ago),
            heights,
            title: `${labelOf(ago)}: ${resultsText(heights)}`,
          };
        })}
      />
    </Section>
  );
}

/** How many requests had each result; those that did not succeed as links. */
function Results({ sums }: { readonly sums: readonly number[] }) {
  const { link } = useRequest();
  const [ok = 0, refused = 0, failed = 0] = sums;
  const linked = (q: string, text: string) => <a href={link('requests', { q })}>{text}</a>;
  return (
    <Legend
      parts={{
        two: `${numberText(ok)} ok`,
        ...(refused > 0 && { warn: linked('status:4*', `${numberText(refused)} refused`) }),
        ...(failed > 0 && { fail: linked('status:5*', `${numberText(failed)} failed`) }),
      }}
    />
  );
}

const countsOf = (exchanges: readonly Exchange[]): number[] =>
  TONES.map(
    (tone) => exchanges.filter(({ rawResponse }) => toneOf(rawResponse.status) === tone).length,
  );

const resultsText = ([ok, refused, failed]: readonly number[]): string =>
  `${ok} ok, ${refused} refused, ${failed} failed`;

const labelOf = (ago: number): string => (ago === 0 ? 'now' : `${ago} min ago`);
