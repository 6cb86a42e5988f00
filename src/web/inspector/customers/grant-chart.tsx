import { scaleUtc } from 'd3-scale';
import type { VNode } from 'preact';
import { after, toMillis } from '../../../domain/instant.ts';
import type { GrantRow } from '../../../state/records.ts';

const WIDTH = 640;
const ROW = 22;
const MARGIN = { right: 36, bottom: 26, left: 16 };
const TICKS = 5;
/** So many grants at most are drawn, the latest; the table beside holds all. */
const MOST_GRANTS = 30;
/** How far a plot looks ahead where credit never ends. */
const AHEAD = 'P1M';

/** Credit over time: a bar from the beginning to the end of each grant, filled as far as it is left. */
export function GrantChart({
  grants,
  now,
  nameOf,
}: {
  readonly grants: readonly GrantRow[];
  readonly now: GrantRow['created_at'];
  readonly nameOf: (grant: GrantRow) => string;
}): VNode | null {
  const rows = grants.slice(-MOST_GRANTS);
  if (rows.length === 0) return null;
  const ends = rows.map(({ expires_at }) => toMillis(expires_at ?? after(now, AHEAD)));
  const from = Math.min(...rows.map(({ effective_at }) => toMillis(effective_at)));
  const to = Math.max(...ends, toMillis(now));
  const along = scaleUtc([from, to === from ? from + 1 : to], [MARGIN.left, WIDTH - MARGIN.right]);
  const dateText = along.tickFormat(TICKS);
  const bottom = rows.length * ROW;
  const summary = `Credit over time: ${rows.map(nameOf).join('; ')}`;
  return (
    <figure class="plot">
      <svg viewBox={`0 0 ${WIDTH} ${bottom + MARGIN.bottom}`} role="img" aria-label={summary}>
        {rows.map((grant, place) => {
          const start = along(toMillis(grant.effective_at));
          const width = Math.max(2, along(ends[place] ?? to) - start);
          const share = Math.min(1, Number(grant.remaining) / Number(grant.amount) || 0);
          return (
            <g key={grant.id}>
              <title>{nameOf(grant)}</title>
              <rect class="span" x={start} y={place * ROW + 4} width={width} height={ROW - 8} />
              <rect
                class="left"
                x={start}
                y={place * ROW + 4}
                width={width * share}
                height={ROW - 8}
              />
            </g>
          );
        })}
        <line class="now" x1={along(toMillis(now))} x2={along(toMillis(now))} y1={0} y2={bottom} />
        {along.ticks(TICKS).map((tick) => (
          <text key={tick.getTime()} x={along(tick)} y={bottom + 20} text-anchor="middle">
            {dateText(tick)}
          </text>
        ))}
      </svg>
    </figure>
  );
}
