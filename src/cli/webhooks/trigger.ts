import { ApiError, type Client, type ClientRequest } from '../../client/index.ts';
import { machineTime } from '../../config/machine-time.ts';
import { fromMillis } from '../../domain/instant.ts';
import { isKnownTopic, knownTopics } from '../../spec/topics.ts';
import { didYouMean, plural } from '../../text/wording.ts';
import type { CommandOutput, WorldCommand } from '../command.ts';
import { CommandError, EXIT } from '../failure.ts';
import { flag } from '../flags.ts';
import { jsonObject } from '../readers.ts';

/** `billing-emulator trigger`: makes an event of a topic happen, or sends a test event. */
export const triggerCommand: WorldCommand = {
  usage: 'trigger <topic>',
  about:
    'Cause an event, such as subscription.activated by a new subscription, or send a test event with nothing behind it',
  flags: [
    flag('--customer <id>', 'Customer of the new subscription, by id (default: a new one)'),
    flag('--bare', 'Send a test event: nothing in the world is behind it'),
    flag('--data <json>', 'Data of a test event, a JSON object', { read: jsonObject }),
    flag('--destination <id>', 'A test event to this destination only, whatever its topics'),
    flag('--account <id>', 'As an event of this connected account'),
  ],
  run(client, { args: [topic = ''], flags }) {
    const given = flags as TriggerFlags;
    const isTest =
      given.bare === true || given.data !== undefined || given.destination !== undefined;
    if (isTest && given.customer !== undefined)
      throw new CommandError('A test event has no customer: leave out --customer.', EXIT.usage);
    return isTest || !isKnownTopic(topic)
      ? sendTestEvent(client, topic, given)
      : activateSubscription(client, given);
  },
};

/** Subscribes a customer to a product without a fee, which activates the subscription at once. */
async function activateSubscription(
  client: Client,
  { customer, account }: TriggerFlags,
): Promise<CommandOutput> {
  await client.send('createProduct', { account, body: SAMPLE_PRODUCT });
  const customerId =
    customer ?? (await client.call('createCustomer', { account, body: { name: 'Triggered' } })).id;
  const path = { customerId };
  const products = [{ code: SAMPLE_PRODUCT.code }];
  const subscription = await client.call('createSubscription', {
    account,
    path,
    body: { products },
  });
  const { items } = await client.call('listWebhookEvents', { account });
  const event = items.find(
    ({ data }) => (data as { subscription_id?: string }).subscription_id === subscription.id,
  );
  const id = event?.id ?? '';
  const made = { customer_id: customerId, subscription_id: subscription.id };
  const reach = describeReach(event?.matched_destination_ids.length ?? 0);
  return {
    json: JSON.stringify({ id, ...made }),
    text: `${id}  ${reach}\nSubscription ${subscription.id} of customer ${customerId} was activated.`,
  };
}

/** Made once in a world; later its code is taken. */
const SAMPLE_PRODUCT: Exclude<ClientRequest<'createProduct'>['body'], string | undefined> = {
  name: 'Product of trigger',
  code: 'trigger',
  publish: true,
  prices: [
    {
      name: 'Calls',
      type: 'usage_based',
      billing_model: { type: 'real_time' },
      usage_calculation: { event_type: 'trigger.call', usage_type: 'unit' },
      pricing: [{ asset: 'USD', values: [{ unit_price: 1 }] }],
    },
  ],
};

async function sendTestEvent(
  client: Client,
  topic: string,
  { data: body = sampleData(), destination, account }: TriggerFlags,
): Promise<CommandOutput> {
  const path = { topic, webhookId: destination ?? '', connectedAccountId: account ?? '' };
  const operation = `test${account ? 'Connected' : ''}Webhook${destination ? '' : 's'}` as const;
  const { id } = await client.call(operation, { path, body }).catch((error: unknown) => {
    throw error instanceof ApiError && !isKnownTopic(topic) ? unknownTopic(topic) : error;
  });
  const { items } = await client.call('listWebhookEvents', { account });
  const count = items.find((event) => event.id === id)?.matched_destination_ids.length ?? 0;
  return {
    json: JSON.stringify({ id }),
    text: `${id}  ${describeReach(count)}\nA test event: nothing in the world is behind it.`,
  };
}

interface TriggerFlags {
  readonly customer?: string;
  readonly bare?: boolean;
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
const describeReach = (count: number): string =>
  count === 0
    ? 'to no destination: no enabled destination has this topic'
    : `to ${plural(count, 'destination')}`;

function sampleData(): Record<string, unknown> {
  return {
    customer_id: 'cust_test',
    subscription_id: 'sub_test',
    occurred_at: fromMillis(machineTime()),
  };
}
