import { each, type Loose, type Mutant } from '../mutant.ts';
import { bugs } from './bug.ts';
import { keeping, reading } from './deep.ts';

/** The result of an event's deliveries, with Success when one delivery succeeded. */
function anyOutcome({ metadata, successful_at, failed_at }: Loose): Loose {
  const attempts: Loose[] = metadata?.attempts ?? [];
  const success = attempts.find(({ error }) => error === null);
  return success && !successful_at
    ? { successful_at: success.at, failed_at: null }
    : { successful_at, failed_at };
}

/** Webhook destinations, deliveries and their log. */
export const deliveryBugs: readonly Mutant[] = bugs({
  testWebhooks: {
    'tries destinations that are disabled': reading('webhooks', 'owner', (rows) =>
      rows.map((row) => ({ ...row, enabled: true })),
    ),
    'sends live events as those of a test': keeping('webhook_events', (row) => ({
      ...row,
      body: row.body.replace('"live_mode":true', '"live_mode":false'),
    })),
  },
  listWebhookEvents: {
    'takes one destination that acknowledges for all': each('items', anyOutcome),
    'filters by destination once the page is cut': (call, _, run) => {
      const { destination_id: ids } = call.query;
      if (!ids) return run();
      const reply = run({ ...call, query: { ...call.query, destination_id: undefined } });
      const { next: _next, prev: _prev, ...query } = call.query;
      const found: Loose[] = run({ ...call, query: { ...query, limit: 1_000_000 } }).body.items;
      const items = reply.body.items.flatMap((item: Loose) =>
        found.filter(({ id }) => id === item.id),
      );
      return { ...reply, body: { ...reply.body, items } };
    },
  },
  updateWebhook: {
    'changes the secret with the address': keeping('webhooks', (row, _, { tables }) =>
      tables.webhooks.get(row.id)?.url === row.url
        ? row
        : { ...row, secret: `${row.secret.slice(0, -4)}AAAA` },
    ),
  },
});
