import { scaleLinear } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import type { ComponentChildren } from 'preact';
import {
  type Bar,
  extent,
  labelsOf,
  MAX_POINTS,
  type Point,
  thin,
  tickTexts,
} from './chart-model.ts';

interface ChartProps {
  /** A text alternative of the chart, for screen readers. */
  readonly summary: string;
  /** The code of a currency, or another unit; empty for counts, whose ticks are whole numbers. */
  readonly unit: string;
  readonly bars?: readonly Bar[];
  /** CSS classes of the bars' parts, from the bottom up. */
  readonly parts?: readonly string[];
  /** Points of a line that stays level until the next one. */
  readonly points?: readonly Point[];
  /** @units pixels */
  readonly height?: number;
}

const HEIGHT = 140;
const TICKS = 3;

/**
 * Bars, or values over time as a line, as SVG from the server. Only the width scales (x is in percent, y in pixels),
 * so the text has the same size on every screen.
 */
export function Chart(props: ChartProps) {
  const { summary, unit, bars = [], points = [], height = HEIGHT } = props;
  if (bars.length + points.length === 0) return null;
  const upwards = upwardsOf(props);
  const ticks = upwards.ticks(TICKS).filter((tick) => unit !== '' || Number.isInteger(tick));
  const drawn = { ...props, upwards };
  return (
    <figure class="chart">
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
          {points.length > 0 && <Line {...drawn} />}
        </svg>
        <svg class="along" aria-hidden="true">
          {labelsOf(bars, points).map(({ text, at, anchor }) => (
            <text key={at} x={`${at}%`} y="1em" text-anchor={anchor}>
              {text}
            </text>
          ))}
        </svg>
      </div>
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

/** The scale of the y axis. It includes zero for bars, but not for a line. */
function upwardsOf({ bars = [], points = [], height = HEIGHT }: ChartProps) {
  const sums = bars.map(({ heights }) => heights.reduce((sum, each) => sum + each, 0));
  const ground = bars.length > 0 ? [0] : [];
  const [least, most] = extent([...ground, ...sums, ...points.map(({ value }) => value)]);
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

function Line({ points = [], height = HEIGHT, upwards }: DrawingProps) {
  const along = alongOf(points);
  const drawn = thin(points, along);
  const path = line<Point>(
    ({ at }) => along(at),
    ({ value }) => upwards(value),
  ).curve(curveStepAfter);
  return (
    <>
      <path class="curve" d={path(drawn) ?? ''} />
      {drawn.map(({ at, title }, place) => {
        // An invisible rectangle from the point to the next has its tooltip.
        const to = along(drawn[place + 1]?.at ?? at);
        const width = Math.max(100 / MAX_POINTS, to - along(at));
        return (
          <rect key={place} class="hit" x={along(at)} width={width} height={height}>
            <title>{title}</title>
          </rect>
        );
      })}
    </>
  );
}

function alongOf(points: readonly Point[]): (at: number) => number {
  const [from, to] = extent(points.map(({ at }) => at));
  return scaleLinear([from, to === from ? from + 1 : to], [0, 100]);
}

interface LegendProps {
  /** What the parts of bars are, by their CSS classes. */
  readonly parts: Readonly<Record<string, ComponentChildren>>;
}

/** The parts of bars, each with its colour. */
export const Legend = ({ parts }: LegendProps) => (
  <p class="legend">
    {Object.entries(parts).map(([part, text]) => (
      <span key={part} class={`mark ${part}`}>
        {text}
      </span>
    ))}
  </p>
);
