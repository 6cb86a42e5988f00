import { after } from '../../domain/instant.ts';
import type { RetiredSecret } from '../../state/records.ts';
import type { ControlHandler } from '../context.ts';
import { findDestination } from './destination.ts';

/** How long a secret signs on after it was replaced. @assumes A-1208 */
const OVERLAP = 'PT24H';

/** How many replaced secrets are remembered at all. */
const MOST_RETIRED = 8;

export const rotateSecret: ControlHandler<'rotateSecret'> = ({ body }, context) => {
  const { world } = context;
  const { now } = world;
  const destination = findDestination(context, body.destination_id);
  const replaced = { secret: destination.secret, until: after(now, OVERLAP) };
  const retired_secrets = [replaced, ...(destination.retired_secrets ?? [])].slice(0, MOST_RETIRED);
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

function presentSecret({ secret, until }: RetiredSecret) {
  return { secret, valid_until: until };
}
