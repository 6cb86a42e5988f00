import { ApiError, type Client, type ClientRequest } from '../../client/index.ts';
import { machineTime } from '../../config/machine-time.ts';
import { fromMillis } from '../../domain/instant.ts';
import { isKnownTopic, knownTopics } from '../../spec/topics.ts';
import { didYouMean, plural } from '../../text/wording.ts';
import type { CommandOutput, WorldCommand } from '../command.ts';
import { CommandError, EXIT } from '../failure.ts';
import { flag } from '../flags.ts';

/** `billing-emulator trigger`: makes an event of a topic happen, or sends a test event. */
export const triggerCommand: WorldCommand = {
  usage: 'trigger <topic>',
  about:
    'Cause an event, such as subscription.activated by a new subscription, or send a test event with nothing behind it',
  flags: [flag('--bare', 'Send a test event: nothing in the world is behind it')],
  run: (client, { args: [topic = ''], flags }) =>
    flags['bare'] === true || !isKnownTopic(topic)
      ? sendTestEvent(client, topic)
      : activateSubscription(client),
};

/** Subscribes a new customer to a product without a fee, which activates the subscription at once. */
async function activateSubscription(client: Client): Promise<CommandOutput> {
  await client.send('createProduct', { body: SAMPLE_PRODUCT });
  const body = {
    name: 'Triggered',
    subscriptions: [{ products: [{ code: SAMPLE_PRODUCT.code }] }],
  };
  const { id: customerId, subscriptions } = await client.call('createCustomer', { body });
  const subscriptionId = subscriptions[0]?.id;
  const { items } = await client.call('listWebhookEvents');
  const event = items.find(
    ({ data }) => (data as { subscription_id?: string }).subscription_id === subscriptionId,
  );
  const id = event?.id ?? '';
  const reach = describeReach(event?.matched_destination_ids.length ?? 0);
  return {
    json: JSON.stringify({ id, customer_id: customerId, subscription_id: subscriptionId }),
    text: `${id}  ${reach}\nSubscription ${subscriptionId} of customer ${customerId} was activated.`,
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

async function sendTestEvent(client: Client, topic: string): Promise<CommandOutput> {
  const body = {
    customer_id: 'cust_test',
    subscription_id: 'sub_test',
    occurred_at: fromMillis(machineTime()),
  };
  const { id } = await client
    .call('testWebhooks', { path: { topic }, body })
    .catch((error: unknown) => {
      throw error instanceof ApiError && !isKnownTopic(topic) ? unknownTopic(topic) : error;
    });
  const { items } = await client.call('listWebhookEvents');
  const count = items.find((event) => event.id === id)?.matched_destination_ids.length ?? 0;
  return {
    json: JSON.stringify({ id }),
    text: `${id}  ${describeReach(count)}\nA test event: nothing in the world is behind it.`,
  };
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
