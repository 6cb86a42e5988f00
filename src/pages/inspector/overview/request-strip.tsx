import { groupBy } from '../../../domain/lists.ts';
import type { Exchange } from '../../../http/log/exchange.ts';
import { Chart } from '../../charts/chart.tsx';
import { Section, toneOf } from '../../parts.tsx';
import { useRequest } from '../inspector-request.ts';

const MINUTES = 60;
const MINUTE = 60_000;
const TONES = ['ok', 'warn', 'fail'] as const;

/** The requests of the last hour (machine time), by minute and by result. */
export function RequestStrip() {
  const { control, world, link } = useRequest();
  const now = control.actions.machine();
  const exchanges = control.requests
    .list(world)
    .filter(({ receivedAt }) => receivedAt > now - MINUTES * MINUTE);
  if (exchanges.length === 0) return null;
  const byMinute = groupBy(exchanges, ({ receivedAt }) =>
    Math.floor(Math.max(0, now - receivedAt) / MINUTE),
  );
  const sums = countsOf(exchanges);
  const [ok, refused, failed] = sums;
  return (
    <Section id="strip" title="Requests of the last hour">
      <p class="about">
        <span>{ok} ok</span>
        <a href={link('requests', { q: 'status:4*' })}>{refused} refused</a>
        <a href={link('requests', { q: 'status:5*' })}>{failed} failed</a>
      </p>
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

const countsOf = (exchanges: readonly Exchange[]): number[] =>
  TONES.map(
    (tone) => exchanges.filter(({ rawResponse }) => toneOf(rawResponse.status) === tone).length,
  );

const resultsText = ([ok, refused, failed]: readonly number[]): string =>
  `${ok} ok, ${refused} refused, ${failed} failed`;

const labelOf = (ago: number): string => (ago === 0 ? 'now' : `${ago} min ago`);
