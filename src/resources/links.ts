import { omitNullish } from '../domain/fields.ts';
import { after } from '../domain/instant.ts';
import type { LinkRow, Owned } from '../store/records.ts';
import type { Context } from './context.ts';

/** Adds a link to a hosted page, under a new token. @assumes A-604, A-1101, A-1104 */
export function addLink(
  { tables, world, owner, now }: Context,
  link: Omit<LinkRow, keyof Owned>,
): LinkRow {
  const id = world.nextToken(`${link.kind} link`, owner);
  return tables.links.put({ id, seq: world.nextSeq(), owner, created_at: now, ...link });
}

/** How long a visit of the portal lasts. @assumes A-1104 */
const VISIT_LIFETIME = 'PT30M';

/** The maximum number of stored visits per customer; ended visits still redirect to `failure_url`. */
const KEPT_VISITS = 100;

/** The customer of a portal visit, and the URLs to return to. */
type PortalEntry = Pick<LinkRow, 'customer_id' | 'return_url' | 'failure_url'>;

/** Opens a visit of the portal with its own token. Only the newest visits are kept. */
export function openPortalVisit(context: Context, entry: PortalEntry): LinkRow {
  const { tables, now } = context;
  const { customer_id, return_url, failure_url } = entry;
  const earlier = tables.links.list('visits', customer_id);
  for (const visit of earlier.slice(0, -KEPT_VISITS)) tables.links.remove(visit.id);
  return addLink(context, {
    kind: 'visit',
    customer_id,
    expires_at: after(now, VISIT_LIFETIME),
    ...omitNullish({ return_url, failure_url }),
  });
}

export const visitPath = ({ id }: LinkRow): string => `/hosted/portal/visits/${id}`;
