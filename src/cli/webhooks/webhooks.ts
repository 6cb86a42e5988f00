import type { ClientAnswer } from '../../client/index.ts';
import { plural } from '../../text/plural.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { fieldsOf, flag } from '../flags.ts';
import { printPage } from '../print.ts';
import { callVerb, type Verb, type VerbGroup } from '../verb.ts';
import { addWebhooksCheck } from './webhooks-check.ts';

const EVENT_FILTER = {
  destination_id: flag('--destination <ids>', 'Only events of these destinations, comma-separated'),
  status: flag('--status <status>', 'Only events with this status: Success or Failed'),
  limit: flag('--limit <number>', 'Maximum number of events', { preset: '20' }),
};

const listVerb: Verb = {
  usage: 'list',
  isDefault: true,
  about: 'List the latest webhook events',
  flags: [flag('--destinations', 'List the destinations instead'), ...Object.values(EVENT_FILTER)],
  async run(client, { flags }) {
    if (flags['destinations']) {
      const json = await client.read('listWebhooks');
      return { json, text: printPage(JSON.parse(json), destinationRow, 'No destinations.') };
    }
    const json = await client.read('listWebhookEvents', { query: fieldsOf(EVENT_FILTER, flags) });
    // Leaves out the total count, because the log only grows.
    const { items } = JSON.parse(json) as ClientAnswer<'listWebhookEvents'>;
    return { json, text: printPage({ items }, eventRow, 'No webhook events.') };
  },
};

type Destination = ClientAnswer<'listWebhooks'>['items'][number];

function destinationRow({ id, url, topics, enabled, connect }: Destination): string[][] {
  const state = enabled ? 'enabled' : 'disabled';
  return [
    [id, state, connect ? 'of connected accounts' : 'of the platform', topics.join(','), url],
  ];
}

type LoggedEvent = ClientAnswer<'listWebhookEvents'>['items'][number];

const eventRow = (event: LoggedEvent): string[][] => [
  [event.time, event.topic, event.id, ...outcomeOf(event)],
];

/** Describes the status of an event, and the outcome of its latest attempt if it failed. */
function outcomeOf(event: LoggedEvent): string[] {
  const { matched_destination_ids, successful_at, failed_at, metadata } = event;
  const attempts = metadata?.attempts ?? [];
  const tries = plural(attempts.length, 'attempt');
  if (matched_destination_ids.length === 0) return ['no destination'];
  if (successful_at !== null) return ['delivered', tries];
  if (failed_at === null) return ['waiting'];
  return ['failed', tries, attempts.findLast(({ error }) => error !== null)?.error ?? ''];
}

const RESENT = {
  destination_id: flag('--destination <id>', 'Only to this destination'),
  topic: flag('--topic <topic>', 'Only events of this topic'),
  status: flag('--status <status>', 'Only deliveries with this status, such as failed'),
};

const resendVerb = callVerb('replayDeliveries', {
  usage: 'resend [id]',
  about: 'Resend an event to all its destinations, one delivery, or all that match',
  body: RESENT,
  request: ({ args: [id], flags }) => {
    if (id === undefined && Object.keys(fieldsOf(RESENT, flags)).length === 0)
      throw new CommandError('error: give an id, or flags that say what to resend', EXIT.usage);
    return { body: { [id?.startsWith('evt_') ? 'event_id' : 'delivery_id']: id } };
  },
  text: ({ delivery_ids, skipped_ids }) => {
    const lines = [
      ...delivery_ids.map((id) => `${id}  sent again`),
      ...skipped_ids.map((id) => `${id}  skipped: in progress, or its destination is disabled`),
    ];
    return lines.length === 0 ? 'Nothing matches.' : lines.join('\n');
  },
  exitCode: ({ delivery_ids }) => (delivery_ids.length === 0 ? EXIT.failure : 0),
});

/** `billing-emulator webhooks`: lists webhook events and sends them again. */
export const webhookVerbs: VerbGroup = {
  usage: 'webhooks',
  about: 'List and resend webhook events, check a receiver',
  verbs: [listVerb, resendVerb, addWebhooksCheck],
};
