import { scaleLinear } from 'd3-scale';
import type { ComponentChildren } from 'preact';
import { shortQuantity } from '../wording.ts';

/** One bar, with one or more stacked parts, or a part of a line. The precision of a double is enough for a drawing. */
interface Bar {
  readonly label: string;
  /** The heights of the parts, from the bottom up. */
  readonly heights: readonly number[];
  /** The tooltip. */
  readonly title: string;
}

interface ChartProps {
  /** A text alternative of the chart, for screen readers. */
  readonly summary: string;
  /** The code of a currency, or another unit; empty for counts, whose ticks are whole numbers. */
  readonly unit: string;
  readonly bars: readonly Bar[];
  /** CSS classes of the bars' parts, from the bottom up. */
  readonly parts?: readonly string[];
  /** Whether a line shows the sums, which need not begin at zero. It stays level for the width of a bar. */
  readonly isLine?: boolean;
  /** @units pixels */
  readonly height?: number;
}

const HEIGHT = 140;
const TICKS = 3;

/**
 * Bars, or a line, as SVG from the server. Only the width scales (x is in percent, y in pixels), so the text has the
 * same size on every screen.
 */
export function Chart(props: ChartProps) {
  const { summary, unit, bars, isLine = false, height = HEIGHT } = props;
  if (bars.length === 0) return null;
  const upwards = upwardsOf(props);
  const ticks = upwards.ticks(TICKS).filter((tick) => unit !== '' || Number.isInteger(tick));
  const step = 100 / bars.length;
  const drawn = { ...props, upwards, step };
  return (
    <figure class="chart">
      <div class="plot">
        <Ticks texts={ticks.map((tick) => shortQuantity(tick, unit)).toReversed()} />
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
          {isLine ? <Line {...drawn} /> : <Bars {...drawn} />}
          {bars.map(({ label, title }, place) => (
            <rect key={label} class="hit" x={place * step} width={step} height={height}>
              <title>{title}</title>
            </rect>
          ))}
        </svg>
        <svg class="along" aria-hidden="true">
          {labelsOf(bars).map(({ text, at, anchor }) => (
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

/** The maximum number of labels below a chart, so that they fit on a phone. */
const MAX_LABELS = 5;
/** With more bars, a label is wider than its bar on a phone, so the last label ends with the chart. */
const MAX_WIDE_BARS = 8;

/** Returns the labels below a chart: of the last bar, and of others at equal distances before it. */
function labelsOf(bars: readonly Bar[]) {
  const last = bars.length - 1;
  const every = Math.ceil(bars.length / MAX_LABELS);
  return bars.flatMap(({ label: text }, place) => {
    if ((last - place) % every !== 0) return [];
    if (place === last && bars.length > MAX_WIDE_BARS)
      return { text, at: 100, anchor: 'end' as const };
    return { text, at: (100 * (place + 0.5)) / bars.length, anchor: 'middle' as const };
  });
}

/** The scale of the y axis. It includes zero for bars, but not for a line. */
function upwardsOf({ bars, isLine = false, height = HEIGHT }: ChartProps) {
  const values = [...(isLine ? [] : [0]), ...bars.map(sumOf)];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const isFlat = least === most;
  return scaleLinear(
    [isFlat ? Math.min(least, 0) : least, isFlat ? Math.max(most, 0) || 1 : most],
    [height, 0],
  ).nice(TICKS);
}

const sumOf = ({ heights }: Bar): number => heights.reduce((sum, each) => sum + each, 0);

interface DrawingProps extends ChartProps {
  readonly upwards: ReturnType<typeof upwardsOf>;
  /** The width of a bar and of the space beside it, in percent. */
  readonly step: number;
}

function Bars({ bars, parts = ['one'], upwards, step }: DrawingProps) {
  return (
    <>
      {bars.map(({ label, heights }, place) => {
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
          </g>
        );
      })}
    </>
  );
}

function Line({ bars, upwards, step }: DrawingProps) {
  const levels = bars.map((bar) => upwards(sumOf(bar)));
  const path = levels.map((level, place) => `V${level}H${(place + 1) * step}`).join('');
  return <path class="curve" d={`M0 ${levels[0]}${path}`} />;
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
