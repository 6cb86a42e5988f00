import type { VNode } from 'preact';
import { type Instant, toMillis } from '../../../domain/instant.ts';
import type { GrantRow } from '../../../state/records.ts';
import { Amount } from '../../amount.tsx';
import { Shown } from '../../data-table.tsx';
import { Id } from '../../id.tsx';
import { useServiceContext } from '../../surroundings.ts';
import { distanceText } from '../../time.tsx';
import { dayText } from '../../wording.ts';

/** So many of the latest grants are shown. */
const MOST_GRANTS = 50;

/** Grants, the latest first: the share that is left as a bar, the life as a line. */
export function Grants({ grants }: { readonly grants: readonly GrantRow[] }): VNode {
  const { now } = useServiceContext();
  const shown = grants.slice(-MOST_GRANTS).reverse();
  return (
    <>
      <ul class="rows">
        {shown.map((grant) => (
          <Grant key={grant.id} grant={grant} now={now} />
        ))}
      </ul>
      <Shown count={shown.length} total={grants.length} />
    </>
  );
}

interface GrantProps {
  readonly grant: GrantRow;
  readonly now: Instant;
}

function Grant({ grant, now }: GrantProps): VNode {
  const { id, purpose, source, remaining, amount, asset } = grant;
  const share = Math.min(100, (100 * Number(remaining)) / Number(amount) || 0);
  return (
    <li data-testid="grant">
      <div class="row">
        <span>
          <strong>{purpose}</strong> <span class="muted">by {source.replace('_', '-')}</span>
        </span>
        <Id id={id} />
      </div>
      <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" />
        <rect class="left" width={share} height="6" />
      </svg>
      <div class="row">
        <span>
          <Amount amount={remaining} asset={asset} /> of <Amount amount={amount} asset={asset} />
        </span>
        <span class="muted">{endText(grant, now)}</span>
      </div>
      <Life grant={grant} now={now} />
    </li>
  );
}

function endText({ expires_at, remaining, pending }: GrantRow, now: Instant): string {
  if (pending) return 'yet to come';
  if (remaining === '0') return 'used up';
  if (expires_at === null) return 'never expires';
  return expires_at > now ? `expires ${distanceText(expires_at, now)}` : 'expired';
}

/** From beginning to end with the present as a point; an arrow where there is no end. */
function Life({ grant: { effective_at, expires_at }, now }: GrantProps): VNode {
  const from = toMillis(effective_at);
  const to = expires_at === null ? undefined : toMillis(expires_at);
  const share = to === undefined ? 0.5 : (toMillis(now) - from) / Math.max(1, to - from);
  const x = `${100 * Math.min(1, Math.max(0, share))}%`;
  return (
    <div class="life muted">
      <span>{dayText(effective_at)}</span>
      <svg height="10" aria-hidden="true">
        <line x1="0%" x2="100%" y1="5" y2="5" />
        <line x1="0%" x2="0%" y1="2" y2="8" />
        {to !== undefined && <line x1="100%" x2="100%" y1="2" y2="8" />}
        <circle cx={x} cy="5" r="2.5" />
      </svg>
      <span>{expires_at === null ? '→ never' : dayText(expires_at)}</span>
    </div>
  );
}
