import { scaleBand, scaleLinear } from 'd3-scale';
import type { VNode } from 'preact';
import { ValueAxis } from './chart-axes.tsx';

export interface Bar {
  readonly label: string;
  /** Where it stands upwards; the drawing needs no more digits than a double has. */
  readonly height: number;
  /** What it is, as shown on pointing at it. */
  readonly title: string;
}

export interface BarChartProps {
  /** What the whole of it says, for those who do not see it. */
  readonly summary: string;
  readonly bars: readonly Bar[];
  /** How a height is written at the axis. */
  readonly heightText: (height: number) => string;
}

const WIDTH = 480;
const HEIGHT = 200;
const MARGIN = { top: 14, right: 4, bottom: 30, left: 64 };
const TICKS = 4;
/** So many labels at most stand below the bars, so that they fit on a phone. */
const MOST_LABELS = 8;

/** A bar for each of some steps. It is drawn on the server and coloured by the style sheet. */
export function BarChart({ summary, bars, heightText }: BarChartProps): VNode {
  const { across, upwards } = scalesOf(bars);
  const every = Math.ceil(bars.length / MOST_LABELS);
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary}>
      <ValueAxis
        scale={upwards}
        ticks={TICKS}
        across={[MARGIN.left, WIDTH - MARGIN.right]}
        text={heightText}
      />
      {bars.map(({ label, height, title }, place) => (
        <g key={label}>
          <rect
            class="bar"
            x={across(label)}
            y={upwards(height)}
            width={across.bandwidth()}
            height={upwards(0) - upwards(height)}
          >
            <title>{title}</title>
          </rect>
          {place % every === 0 && (
            <text
              x={(across(label) ?? 0) + across.bandwidth() / 2}
              y={HEIGHT - 6}
              text-anchor="middle"
            >
              {label}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function scalesOf(bars: readonly Bar[]) {
  const across = scaleBand(
    bars.map(({ label }) => label),
    [MARGIN.left, WIDTH - MARGIN.right],
  ).padding(0.25);
  const highest = Math.max(...bars.map(({ height }) => height), 0);
  const upwards = scaleLinear([0, highest || 1], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(TICKS);
  return { across, upwards };
}
