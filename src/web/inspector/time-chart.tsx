import { scaleLinear, scaleUtc } from 'd3-scale';
import { curveLinear, curveStepAfter, line } from 'd3-shape';
import type { VNode } from 'preact';
import { fromMillis } from '../../domain/instant.ts';
import { TimeAxis, ValueAxis } from '../chart-axes.tsx';

/** A place in a plot. Drawing needs no more digits than a double has. */
export interface Point {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface TimeChartProps {
  /** What the whole of it says, for those who do not see it. */
  readonly summary: string;
  /** At most three, which the style sheet tells apart by colour and dashes. */
  readonly series: readonly Series[];
  /** Whether a value holds until the next point, or leads over to it. */
  readonly between: 'steps' | 'slopes';
  /** How a value is written at the axis. */
  readonly valueText: (value: number) => string;
}

const WIDTH = 640;
const HEIGHT = 220;
const MARGIN = { top: 14, right: 36, bottom: 28, left: 76 };
const DAY = 86_400_000;
const TICKS_UP = 4;
/** Few points are marked, so that even one is seen. */
const MOST_DOTS = 40;
/** Finer than the drawing shows. */
const MOST_POINTS = 1_000;

/** Values over time as lines, drawn on the server. Zero is always in sight. */
export function TimeChart({ summary, series, between, valueText }: TimeChartProps): VNode | null {
  const all = series.flatMap(({ points }) => points);
  if (all.length === 0) return null;
  const { along, upwards, path } = scalesOf(all, between);
  return (
    <figure class="plot">
      {series.length > 1 && <Legend series={series} />}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary}>
        <ValueAxis
          scale={upwards}
          ticks={TICKS_UP}
          across={[MARGIN.left, WIDTH - MARGIN.right]}
          text={valueText}
        />
        <TimeAxis scale={along} y={HEIGHT - 6} />
        {series.map(({ name, points }, place) => {
          const dots = points.length <= MOST_DOTS ? points : [];
          return (
            <g key={name}>
              <path class={`line line-${place + 1}`} d={path(thin(points)) ?? ''} />
              {dots.map(({ at, value }) => (
                <circle
                  key={at}
                  class={`line-${place + 1} dot`}
                  cx={along(at)}
                  cy={upwards(value)}
                  r={2.5}
                >
                  <title>{`${name}: ${valueText(value)}, ${dayText(at)}`}</title>
                </circle>
              ))}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

function scalesOf(points: readonly Point[], between: TimeChartProps['between']) {
  const [from, to] = extent(points.map(({ at }) => at));
  const [least, most] = extent([0, ...points.map(({ value }) => value)]);
  const along = scaleUtc(
    [from, to === from ? from + DAY : to],
    [MARGIN.left, WIDTH - MARGIN.right],
  );
  const upwards = scaleLinear(
    [least, most === least ? least + 1 : most],
    [HEIGHT - MARGIN.bottom, MARGIN.top],
  ).nice(TICKS_UP);
  const path = line<Point>(
    ({ at }) => along(at),
    ({ value }) => upwards(value),
  ).curve(between === 'steps' ? curveStepAfter : curveLinear);
  return { along, upwards, path };
}

const dayText = (at: number): string => fromMillis(at).slice(0, 10);

function Legend({ series }: { readonly series: readonly Series[] }): VNode {
  return (
    <figcaption>
      {series.map(({ name }, place) => (
        <span key={name}>
          <svg viewBox="0 0 24 8" aria-hidden="true">
            <path class={`line line-${place + 1}`} d="M0 4H24" />
          </svg>
          {name}
        </span>
      ))}
    </figcaption>
  );
}

function extent(values: readonly number[]): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

/** At most so many points, the last of all among them. */
function thin(points: readonly Point[]): Point[] {
  const every = Math.ceil(points.length / MOST_POINTS);
  const last = points.length - 1;
  return points.filter((_, place) => place % every === 0 || place === last);
}
