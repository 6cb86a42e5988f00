import { uuidKey } from '../../state/schema.ts';
import type { World } from '../../state/world.ts';

/** The usage that the front page reports: its id counts once, however often it is sent. */
const EVENT_ID = '68e8980c-fd79-46ea-be14-0e9f2be7df0a';

/** The first request that a newcomer sends, in a world as it opens. */
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

/** The event that it made, where it was sent. */
export const firstFeeOf = ({ tables, accountId }: World) =>
  tables.events.get(uuidKey(accountId, EVENT_ID));
