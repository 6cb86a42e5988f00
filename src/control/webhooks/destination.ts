import { violate } from '../../domain/rules.ts';
import { destinationId } from '../../resources/webhooks/webhook-lookup.ts';
import type { WebhookRow } from '../../state/records.ts';
import type { ControlContext } from '../context.ts';

/** @throws RuleViolation where the call sees no such destination */
export function findDestination({ world, owner }: ControlContext, id: string): WebhookRow {
  const destination = world.tables.webhooks.get(destinationId(id));
  const isVisible = owner === world.accountId || destination?.owner === owner;
  return destination && isVisible ? destination : violate('webhook.unknown', 'destination_id');
}
