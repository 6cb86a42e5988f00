import { destinationId } from '../../state/ids.ts';
import type { WebhookRow } from '../../state/records.ts';
import type { Context } from '../context.ts';

/** The owner's destination with an id. */
export function findWebhook({ tables, owner }: Context, id: string): WebhookRow | undefined {
  const webhook = tables.webhooks.get(destinationId(id));
  return webhook?.owner === owner ? webhook : undefined;
}
