import { scaleUtc } from 'd3-scale';
import type { VNode } from 'preact';
import { after, toMillis } from '../../../domain/instant.ts';
import type { GrantRow } from '../../../state/records.ts';
import { TimeAxis } from '../../chart-axes.tsx';

const WIDTH = 640;
const ROW = 22;
const MARGIN = { right: 36, bottom: 26, left: 16 };
/** So many grants at most are drawn, the latest; the table beside holds all. */
const MOST_GRANTS = 30;
/** How far a plot looks ahead where credit never ends. */
const AHEAD = 'P1M';

interface GrantChartProps {
  readonly grants: readonly GrantRow[];
  readonly now: GrantRow['created_at'];
  readonly nameOf: (grant: GrantRow) => string;
}

/** Credit over time: a bar from the beginning to the end of each grant, filled as far as it is left. */
export function GrantChart({ grants, now, nameOf }: GrantChartProps): VNode | null {
  const rows = grants.slice(-MOST_GRANTS);
  if (rows.length === 0) return null;
  const ends = rows.map(({ expires_at }) => toMillis(expires_at ?? after(now, AHEAD)));
  const from = Math.min(...rows.map(({ effective_at }) => toMillis(effective_at)));
  const to = Math.max(...ends, toMillis(now));
  const along = scaleUtc([from, to === from ? from + 1 : to], [MARGIN.left, WIDTH - MARGIN.right]);
  const bottom = rows.length * ROW;
  const summary = `Credit over time: ${rows.map(nameOf).join('; ')}`;
  return (
    <figure class="plot">
      <svg viewBox={`0 0 ${WIDTH} ${bottom + MARGIN.bottom}`} role="img" aria-label={summary}>
        {rows.map((grant, place) => {
          const start = along(toMillis(grant.effective_at));
          const width = Math.max(2, along(ends[place] ?? to) - start);
          const span = { x: start, y: place * ROW + 4, height: ROW - 8 };
          const share = Math.min(1, Number(grant.remaining) / Number(grant.amount) || 0);
          return (
            <g key={grant.id}>
              <title>{nameOf(grant)}</title>
              <rect class="span" {...span} width={width} />
              <rect class="left" {...span} width={width * share} />
            </g>
          );
        })}
        <line class="now" x1={along(toMillis(now))} x2={along(toMillis(now))} y1={0} y2={bottom} />
        <TimeAxis scale={along} y={bottom + 20} />
      </svg>
    </figure>
  );
}
