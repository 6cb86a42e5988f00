import { ApiError, type Client } from '../../client/index.ts';
import { fromMillis } from '../../domain/instant.ts';
import { isKnownTopic, knownTopics } from '../../spec/topics.ts';
import { machineTime } from '../../store/clock.ts';
import { didYouMean } from '../../text/nearest.ts';
import { plural } from '../../text/plural.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { flag } from '../flags.ts';
import { jsonObject } from '../readers.ts';
import type { Verb } from '../verb.ts';

/** `billing-emulator trigger`: sends a test event. */
export const triggerVerb: Verb = {
  usage: 'trigger <topic>',
  about: 'Send a test event, such as subscription.activated, to the destinations of its topic',
  flags: [
    flag('--data <json>', 'Data of the event, a JSON object', { read: jsonObject }),
    flag('--destination <id>', 'Only to this destination, whatever its topics'),
    flag('--account <id>', 'As an event of this connected account'),
  ],
  async run(client, { args: [topic = ''], flags }) {
    const { data: body = sampleData(), destination, account } = flags as TriggerFlags;
    const path = { topic, webhookId: destination ?? '', connectedAccountId: account ?? '' };
    const operation = `test${account ? 'Connected' : ''}Webhook${destination ? '' : 's'}` as const;
    const { id } = await client.call(operation, { path, body }).catch((error: unknown) => {
      throw error instanceof ApiError && !isKnownTopic(topic) ? unknownTopic(topic) : error;
    });
    return { json: JSON.stringify({ id }), text: `${id}  ${await describeReach(client, id)}` };
  },
};

interface TriggerFlags {
  readonly data?: Record<string, unknown>;
  readonly destination?: string;
  readonly account?: string;
}

function unknownTopic(topic: string): CommandError {
  const known = knownTopics();
  const hint = didYouMean(topic, known) || ` Expected ${known.join(' or ')}.`;
  return new CommandError(`No webhook has the topic ${topic}.${hint}`, EXIT.failure);
}

/** Describes how many destinations get the event, because none is a common surprise. */
async function describeReach(client: Client, id: string): Promise<string> {
  const { items } = await client.call('listWebhookEvents');
  const count = items.find((event) => event.id === id)?.matched_destination_ids.length ?? 0;
  if (count === 0) return 'to no destination: no enabled destination has this topic';
  return `to ${plural(count, 'destination')}`;
}

function sampleData(): Record<string, unknown> {
  return {
    customer_id: 'cust_test',
    subscription_id: 'sub_test',
    occurred_at: fromMillis(machineTime()),
  };
}
