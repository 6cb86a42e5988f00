import { uuidKey } from '../../store/schema.ts';
import type { World } from '../../store/world.ts';

/** The id of the example event on the front page. It is fixed, so that sending it again bills nothing more. */
const EVENT_ID = '68e8980c-fd79-46ea-be14-0e9f2be7df0a';

/** The first request that a new user sends: one usage event at the world's current time. */
export function firstFee({ now }: World) {
  return {
    customer_external_id: 'acme',
    events: [
      {
        id: EVENT_ID,
        event_type: 'llm.completion',
        occurred_at: now,
        data: { model: 'large', tokens: 417_000 },
      },
    ],
  };
}

/** Returns the event of that request; undefined if it is not there. */
export const firstFeeOf = ({ tables, accountId }: World) =>
  tables.events.get(uuidKey(accountId, EVENT_ID));
