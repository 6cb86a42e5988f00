import { after } from '../../domain/instant.ts';
import { violate } from '../../domain/rules.ts';
import { destinationId } from '../../store/ids.ts';
import type { RetiredSecret, WebhookRow } from '../../store/records.ts';
import type { ControlContext, ControlHandler } from '../context.ts';
import { isVisible, rowsInScope } from '../scope.ts';

export const pauseDeliveries: ControlHandler<'pauseDeliveries'> = ({ body }, context) => {
  const { world, dispatcher } = context;
  const { webhooks } = world.tables;
  const { destination_id: id, paused = true } = body ?? {};
  const wanted = id == null ? rowsInScope(context, webhooks) : [findDestination(context, id)];
  world.commit(() => {
    for (const { paused: _, ...row } of wanted) webhooks.put({ ...row, ...(paused && { paused }) });
  });
  if (!paused) dispatcher.dispatchDue(world, world.now);
  const held = rowsInScope(context, webhooks).filter((row) => row.paused);
  return { status: 200, body: { destination_ids: held.map((row) => row.id) } };
};

/** How long a secret signs on after it was replaced. @assumes A-1208 */
const OVERLAP = 'PT24H';

/** How many replaced secrets are remembered at all. */
const MAX_RETIRED = 8;

export const rotateSecret: ControlHandler<'rotateSecret'> = ({ body }, context) => {
  const { world } = context;
  const { now } = world;
  const destination = findDestination(context, body.destination_id);
  const replaced = { secret: destination.secret, until: after(now, OVERLAP) };
  const retired_secrets = [replaced, ...(destination.retired_secrets ?? [])].slice(0, MAX_RETIRED);
  const { id, secret } = world.commit(() =>
    world.tables.webhooks.put({
      ...destination,
      secret: `whsec_${world.nextToken('webhook secret', destination.owner)}`,
      retired_secrets,
      updated_at: now,
    }),
  );
  const previous_secrets = retired_secrets.filter(({ until }) => until > now).map(presentSecret);
  return { status: 200, body: { destination_id: id, secret, previous_secrets } };
};

const presentSecret = ({ secret, until }: RetiredSecret) => ({ secret, valid_until: until });

/** @throws RuleViolation where the call sees no such destination */
function findDestination(context: ControlContext, id: string): WebhookRow {
  const destination = context.world.tables.webhooks.get(destinationId(id));
  return destination && isVisible(context, destination)
    ? destination
    : violate('webhook.unknown', 'destination_id');
}
