import { given } from '../../domain/given.ts';
import { after } from '../../domain/instant.ts';
import type { PortalVisitRow } from '../../state/records.ts';
import type { Context } from '../context.ts';

/** How long a customer may stay in the portal after opening it. @assumes A-1104 */
const VISIT_LIFETIME = 'PT30M';

/** Whose portal it is, and where its ways out lead. */
export type PortalEntry = Pick<PortalVisitRow, 'customer_id' | 'return_url' | 'failure_url'>;

/** Lets a customer into the portal, under a token of its own. Visits that are over are forgotten. */
export function openPortalVisit(context: Context, entry: PortalEntry): PortalVisitRow {
  const { tables, world, owner, now } = context;
  const { customer_id, return_url, failure_url } = entry;
  const earlier = tables.portal_visits.list('customer', customer_id);
  for (const visit of earlier.slice(0, -KEPT_VISITS)) tables.portal_visits.remove(visit.id);
  return tables.portal_visits.put({
    id: world.nextToken('portal visit', owner),
    seq: world.nextSeq(),
    owner,
    created_at: now,
    customer_id,
    expires_at: after(now, VISIT_LIFETIME),
    ...given({ return_url, failure_url }),
  });
}

/** How many visits of a customer are known at most; those that ended still lead to `failure_url`. */
const KEPT_VISITS = 100;

export const visitPath = ({ id }: PortalVisitRow): string => `/hosted/portal/visits/${id}`;
