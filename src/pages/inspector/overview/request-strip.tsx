import { groupBy } from '../../../domain/collections.ts';
import type { Exchange } from '../../../http/log/exchange.ts';
import { Chart } from '../../charts/chart.tsx';
import { Badge, Section, toneOf } from '../../parts.tsx';
import { numberText } from '../../wording.ts';
import { useRequest } from '../inspector-request.ts';

const MINUTES = 60;
const MINUTE = 60_000;
const TONES = ['ok', 'warn', 'fail'] as const;

/** The requests of the last hour (machine time), by minute and by result. */
export function RequestStrip() {
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
  return (
    <>
      <Badge text={`${numberText(ok)} ok`} tone="ok" />
      {refused > 0 && (
        <a href={link('requests', { q: 'status:4*' })}>
          <Badge text={`${numberText(refused)} refused`} tone="warn" />
        </a>
      )}
      {failed > 0 && (
        <a href={link('requests', { q: 'status:5*' })}>
          <Badge text={`${numberText(failed)} failed`} tone="fail" />
        </a>
      )}
    </>
  );
}

const countsOf = (exchanges: readonly Exchange[]): number[] =>
  TONES.map(
    (tone) => exchanges.filter(({ rawResponse }) => toneOf(rawResponse.status) === tone).length,
  );

const resultsText = ([ok, refused, failed]: readonly number[]): string =>
  `${ok} ok, ${refused} refused, ${failed} failed`;

const labelOf = (ago: number): string => (ago === 0 ? 'now' : `${ago} min ago`);
