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
  const minutes = Array.from({ length: MINUTES }, () => [0, 0, 0]);
  const sums = [0, 0, 0];
  for (const { receivedAt, rawResponse } of exchanges) {
    const place = MINUTES - 1 - Math.floor(Math.max(0, now - receivedAt) / MINUTE);
    const part = TONES.indexOf(toneOf(rawResponse.status) as (typeof TONES)[number]);
    const minute = minutes[place];
    if (minute) minute[part] = (minute[part] ?? 0) + 1;
    sums[part] = (sums[part] ?? 0) + 1;
  }
  const [ok = 0, refused = 0, failed = 0] = sums;
  const text = `${ok} ok, ${refused} refused, ${failed} failed`;
  return (
    <Section id="strip" title="Requests of the last hour">
      <p class="about">
        <span>{ok} ok</span>
        <a href={link('/requests', { q: 'status:4*' })}>{refused} refused</a>
        <a href={link('/requests', { q: 'status:5*' })}>{failed} failed</a>
      </p>
      <Chart
        summary={`Requests of the last hour by minute: ${text}.`}
        unit=""
        height={72}
        parts={['two', 'warn', 'fail']}
        bars={minutes.map((heights, place) => ({
          label: labelOf(MINUTES - 1 - place),
          heights,
          title: `${labelOf(MINUTES - 1 - place)}: ${heights[0]} ok, ${heights[1]} refused, ${heights[2]} failed`,
        }))}
      />
    </Section>
  );
}

const labelOf = (ago: number): string => (ago === 0 ? 'now' : `${ago} min ago`);
