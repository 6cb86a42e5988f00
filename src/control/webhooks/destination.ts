import { violate } from '../../domain/rules.ts';
import { destinationId } from '../../state/ids.ts';
import type { WebhookRow } from '../../state/records.ts';
import type { ControlContext } from '../context.ts';
import { isVisible } from '../scope.ts';

/** @throws RuleViolation where the call sees no such destination */
export function findDestination(context: ControlContext, id: string): WebhookRow {
  const destination = context.world.tables.webhooks.get(destinationId(id));
  return destination && isVisible(context, destination)
    ? destination
    : violate('webhook.unknown', 'destination_id');
}
