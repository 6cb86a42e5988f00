import type { WebhookRow } from '../../state/records.ts';
import type { Context } from '../context.ts';

/** The id under which a destination is kept, from either of its prefixes. @assumes A-301 */
export const destinationId = (id: string): string => id.replace(/^whd_/, 'dst_');

/** The owner's destination with an id. */
export function findWebhook({ tables, owner }: Context, id: string): WebhookRow | undefined {
  const webhook = tables.webhooks.get(destinationId(id));
  return webhook?.owner === owner ? webhook : undefined;
}
