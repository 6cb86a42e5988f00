import type { ScaleLinear, ScaleTime } from 'd3-scale';
import type { VNode } from 'preact';

interface ValueAxisProps {
  readonly scale: ScaleLinear<number, number>;
  readonly ticks: number;
  /** From where to where its lines go across. */
  readonly across: readonly [from: number, to: number];
  readonly text: (value: number) => string;
}

/** Lines across a plot, each with its value in front. */
export function ValueAxis({ scale, ticks, across: [from, to], text }: ValueAxisProps): VNode {
  return (
    <>
      {scale.ticks(ticks).map((tick) => (
        <g key={tick} class={tick === 0 ? 'tick zero' : 'tick'}>
          <line x1={from} x2={to} y1={scale(tick)} y2={scale(tick)} />
          <text x={from - 8} y={scale(tick)} dy="0.32em" text-anchor="end">
            {text(tick)}
          </text>
        </g>
      ))}
    </>
  );
}

interface TimeAxisProps {
  readonly scale: ScaleTime<number, number>;
  /** How far down it stands. */
  readonly y: number;
}

const TICKS = 5;

/** Moments below a plot. */
export function TimeAxis({ scale, y }: TimeAxisProps): VNode {
  const text = scale.tickFormat(TICKS);
  return (
    <>
      {scale.ticks(TICKS).map((tick) => (
        <text key={tick.getTime()} x={scale(tick)} y={y} text-anchor="middle">
          {text(tick)}
        </text>
      ))}
    </>
  );
}
