import { scaleLinear } from 'd3-scale';
import { curveLinear, curveStepAfter, line } from 'd3-shape';
import type { ComponentChildren } from 'preact';
import { type Bar, extent, labelsOf, type Point, thin, tickTexts } from './chart-model.ts';

interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

interface ChartProps {
  /** A text alternative of the chart, for screen readers. */
  readonly summary: string;
  /** The code of a currency, or another unit; empty for counts, whose ticks are whole numbers. */
  readonly unit: string;
  readonly bars?: readonly Bar[];
  /** CSS classes of the bars' parts, from the bottom up. */
  readonly parts?: readonly string[];
  /** At most three lines, with different colours and dashes. */
  readonly series?: readonly Series[];
  /** Whether a line stays level until the next point (`steps`) or goes straight to it (`slopes`). */
  readonly between?: 'steps' | 'slopes';
  /** @units pixels */
  readonly height?: number;
  /** Shown below the chart: its values as a table. */
  readonly children?: ComponentChildren;
}

const HEIGHT = 140;
const TICKS = 3;
const CURVES = ['curve', 'curve second', 'curve third'];

/**
 * Bars, or values over time as lines, as SVG from the server. Only the width scales (x is in percent, y in pixels),
 * so the text has the same size on every screen.
 */
export function Chart(props: ChartProps) {
  const { summary, unit, bars = [], series = [], height = HEIGHT, children } = props;
  const points = series.flatMap((each) => each.points);
  if (bars.length + points.length === 0) return null;
  const upwards = upwardsOf(props);
  const ticks = upwards.ticks(TICKS).filter((tick) => unit !== '' || Number.isInteger(tick));
  const drawn = { ...props, upwards };
  return (
    <figure class="chart">
      {series.length > 1 && <Legend series={series} />}
      <div class="plot">
        <Ticks texts={tickTexts(ticks, unit)} />
        <svg
          viewBox={`0 0 100 ${height}`}
          height={height}
          preserveAspectRatio="none"
          role="img"
          aria-label={summary}
        >
          {ticks.map((tick) => (
            <Rule key={tick} tick={tick} at={upwards(tick)} />
          ))}
          {bars.length > 0 && <Bars {...drawn} />}
          {points.length > 0 && <Lines {...drawn} />}
        </svg>
        <svg class="along" aria-hidden="true">
          {labelsOf(bars, points).map(({ text, at, anchor }) => (
            <text key={at} x={`${at}%`} y="1em" text-anchor={anchor}>
              {text}
            </text>
          ))}
        </svg>
      </div>
      {children}
    </figure>
  );
}

const Ticks = ({ texts }: { readonly texts: readonly string[] }) => (
  <div class="up" aria-hidden="true">
    {texts.map((text) => (
      <span key={text}>{text}</span>
    ))}
  </div>
);

const Rule = ({ tick, at }: { readonly tick: number; readonly at: number }) => (
  <line
    class={tick === 0 ? 'rule zero' : 'rule'}
    x2={100}
    y1={at}
    y2={at}
    vector-effect="non-scaling-stroke"
  />
);

type Upwards = ReturnType<typeof upwardsOf>;
type DrawingProps = ChartProps & { readonly upwards: Upwards };

/** The scale of the y axis. It includes zero for bars and slopes, but not for the steps of a balance. */
function upwardsOf({ bars = [], series = [], between, height = HEIGHT }: ChartProps) {
  const values = series.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
  const ground = between === 'steps' ? values : [0, ...values];
  const sums = bars.map(({ heights }) => heights.reduce((sum, each) => sum + each, 0));
  const [least, most] = extent([...ground, ...sums]);
  const isFlat = least === most;
  return scaleLinear(
    [isFlat ? Math.min(least, 0) : least, isFlat ? Math.max(most, 0) || 1 : most],
    [height, 0],
  ).nice(TICKS);
}

function Bars({ bars = [], parts = ['one'], height: tall = HEIGHT, upwards }: DrawingProps) {
  const step = 100 / bars.length;
  return (
    <>
      {bars.map(({ label, heights, title }, place) => {
        let below = 0;
        return (
          <g key={label}>
            {heights.map((height, part) => {
              const [bottom, top] = [upwards(below), upwards(below + height)];
              below += height;
              const span = { x: (place + 0.1) * step, width: 0.8 * step };
              const size = Math.max(0, bottom - top);
              return height === 0 ? null : (
                <rect key={parts[part]} class={parts[part]} {...span} y={top} height={size} />
              );
            })}
            <rect class="hit" x={place * step} width={step} height={tall}>
              <title>{title}</title>
            </rect>
          </g>
        );
      })}
    </>
  );
}

function Lines({ series = [], between, height = HEIGHT, upwards }: DrawingProps) {
  const along = alongOf(series.flatMap(({ points }) => points));
  const path = line<Point>(
    ({ at }) => along(at),
    ({ value }) => upwards(value ?? 0),
  )
    .defined(({ value }) => value !== null)
    .curve(between === 'steps' ? curveStepAfter : curveLinear);
  // Invisible rectangles with tooltips: each from its point to the next point.
  const hits = thin(series[0]?.points ?? [], along, 100 / LEAST_HIT);
  return (
    <>
      {series.map(({ name, points }, place) => (
        <path key={name} class={CURVES[place]} d={path(thin(points, along)) ?? ''} />
      ))}
      {hits.map(({ at, title }, place) => {
        const to = along(hits[place + 1]?.at ?? at);
        const width = Math.max(LEAST_HIT, to - along(at));
        return (
          <rect key={place} class="hit" x={along(at)} width={width} height={height}>
            <title>{title()}</title>
          </rect>
        );
      })}
    </>
  );
}

/** The smallest width of a tooltip's rectangle, in percent. */
const LEAST_HIT = 0.5;

function alongOf(points: readonly Point[]): (at: number) => number {
  const [from, to] = extent(points.map(({ at }) => at));
  return scaleLinear([from, to === from ? from + 1 : to], [0, 100]);
}

function Legend({ series }: { readonly series: readonly Series[] }) {
  return (
    <figcaption class="legend">
      {series.map(({ name }, place) => (
        <span key={name}>
          <svg viewBox="0 0 24 8" aria-hidden="true">
            <path class={CURVES[place]} d="M0 4H24" />
          </svg>
          {name}
        </span>
      ))}
    </figcaption>
  );
}

/** A bar that is filled to a share of 1. */
export const ShareBar = ({ share }: { readonly share: number }) => (
  <svg class="share" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
    <rect width="1" height="1" />
    <rect class="left" width={Math.min(1, share)} height="1" />
  </svg>
);
