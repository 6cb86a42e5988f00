import { given } from '../../domain/given.ts';
import { after } from '../../domain/instant.ts';
import type { PortalVisitRow } from '../../store/records.ts';
import type { Context } from '../context.ts';

/** How long a visit of the portal lasts. @assumes A-1104 */
const VISIT_LIFETIME = 'PT30M';

/** The customer of a portal visit, and the URLs to return to. */
export type PortalEntry = Pick<PortalVisitRow, 'customer_id' | 'return_url' | 'failure_url'>;

/** Opens a visit of the portal with its own token. Only the newest visits are kept. */
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

/** The maximum number of stored visits per customer; ended visits still redirect to `failure_url`. */
const KEPT_VISITS = 100;

export const visitPath = ({ id }: PortalVisitRow): string => `/hosted/portal/visits/${id}`;
