import type { WebhookPost } from 'billing-emulator/internals';
import type { Loose, Mutant } from '../../mutant.ts';
import { keeping, reading } from '../deep.ts';
import { against } from '../production/window.ts';
import { storingEver } from './lasting.ts';

const TOPIC = 'subscription.activated';
const lastOf = ({ exchanges }: Loose): Loose => exchanges.at(-1);

/** While the delivery to one destination waits for a retry, those that succeeded wait for the same. */
const retryingAll = storingEver('deliveries', (row, table) => {
  const siblings = table.list('event', row.webhook_event).filter(({ id }: Loose) => id !== row.id);
  const again = ({ next_attempt_at }: Loose) => ({
    status: 'pending',
    next_attempt_at,
    waits_for: 'clock',
  });
  const isRetried = (each: Loose) =>
    each.status === 'pending' && each.waits_for === 'clock' && lastOf(each)?.error;
  if (isRetried(row))
    for (const each of siblings)
      if (each.status === 'succeeded') table.put({ ...each, ...again(row) });
  if (row.status !== 'succeeded' || row.waits_for) return row;
  const waiting = siblings.find(
    (each: Loose) => isRetried(each) && each.next_attempt_at > lastOf(row).at,
  );
  return waiting ? { ...row, ...again(waiting) } : row;
});

/** Gives a delivery up when no response came. */
const finalWithoutResponse = storingEver('deliveries', (row) => {
  const { waits_for, ...rest } = row;
  const isUnanswered = row.status === 'pending' && lastOf(row)?.status_code === null;
  return isUnanswered && waits_for === 'clock'
    ? { ...rest, status: 'failed', next_attempt_at: null }
    : row;
});

/** Takes a topic for the beginning of longer ones. */
const byBeginning = reading('webhooks', 'owner', (rows) =>
  rows.map((row) =>
    row.topics.some((topic: string) => TOPIC.startsWith(`${topic}.`))
      ? { ...row, topics: [...row.topics, TOPIC] }
      : row,
  ),
);

/** Signs with the first of several secrets only. */
function signedOnce(posting: WebhookPost): WebhookPost {
  const name = Object.keys(posting.headers).find((each) => each.endsWith('-Signature')) ?? '';
  const parts = posting.headers[name]?.split(',') ?? [];
  if (parts.length < 3) return posting;
  return { ...posting, headers: { ...posting.headers, [name]: parts.slice(0, 2).join(',') } };
}

/** Destinations and deliveries. */
export const reportedWebhookBugs: readonly Mutant[] = [
  against(
    'A-1204: retries follow until any 2xx, which is success',
    'with a retry sends the event again to the destinations that have acknowledged it',
    { createWebhook: retryingAll },
  ),
  against(
    'A-1204: retries follow after 5 s; any 2xx is success',
    'gives a delivery up when the receiver cannot be reached',
    { createWebhook: finalWithoutResponse },
  ),
  against(
    'PATCH /webhooks/{webhookId}: optional url, topics, enabled',
    'makes a destination for events of connected accounts one for the platform when its address changes',
    {
      updateWebhook: keeping('webhooks', (row, _, { tables }) =>
        tables.webhooks.get(row.id)?.url === row.url ? row : { ...row, connect: false },
      ),
    },
  ),
  against(
    'Destinations: for each event matching its topics; A-1202: an unknown topic never fires',
    'takes a topic for the beginning of longer ones',
    {
      createSubscription: byBeginning,
      createCustomer: byBeginning,
      updateSubscription: byBeginning,
      testWebhooks: byBeginning,
    },
  ),
  against(
    'A-1208: for 24 hours both secrets sign',
    'signs with the new secret alone as soon as it is rotated',
    {},
    { id: 'webhook: signs with the new secret alone', posting: signedOnce },
  ),
];
