import type { Context } from 'billing-emulator/internals';
import { Refusal, RuleViolation } from 'billing-emulator/internals';
import type { OperationId } from 'billing-emulator/spec';
import { announceLater, reading } from './independent/deep.ts';
import { during } from './independent/due-bug.ts';
import {
  type Advice,
  declared,
  firstOf,
  kindOfMutant,
  type Loose,
  type Mutant,
  mutant,
} from './mutant.ts';

const TOPIC = 'subscription.activated';
const EMITTING: readonly OperationId[] = [
  'createCustomer',
  'createSubscription',
  'updateSubscription',
  'testWebhooks',
  'testConnectedWebhooks',
];

/** Destinations that also receive events whose topic they do not name. */
const alsoFor =
  (fits: (destination: Loose, context: Context) => boolean): Advice =>
  (call, context, run) =>
    reading('webhooks', 'owner', (rows) =>
      rows.map((row) => (fits(row, context) ? { ...row, topics: [...row.topics, TOPIC] } : row)),
    )(call, context, run);

const hearing = kindOfMutant((fits: Parameters<typeof alsoFor>[0]) => {
  const advice = alsoFor(fits);
  const around = Object.fromEntries(EMITTING.map((operation) => [operation, advice]));
  return { around: { ...around, createWebhook: remembering } };
});

const firstTopics = (context: Loose, id: string, topics?: Loose): Loose =>
  firstOf(context, `first topics of ${id}`, topics);

const remembering: Advice = (call, context, run) => {
  const reply = run();
  firstTopics(context, reply.body.id, call.body.topics ?? ['*']);
  return reply;
};

const likePattern = (topic: string): RegExp =>
  new RegExp(`^${topic.replaceAll('.', '\\.').replaceAll('_', '.')}$`);

/** Accepts topics that are not valid, as other ones. */
const accepting = kindOfMutant((read: (topic: string) => string) => ({
  requestBody: (body: Loose, { path }) =>
    /^\/webhooks(\/[^/]+)?$/.test(path) && Array.isArray(body.topics)
      ? { ...body, topics: body.topics.map((each: Loose) => (each.trim ? read(each) : each)) }
      : body,
}));

/** Announces an activation although the request is rejected. */
const announcing =
  (isMeant: (call: Loose, context: Context, error: Loose) => unknown): Advice =>
  (call, context, run) => {
    try {
      return run();
    } catch (error) {
      if (isMeant(call, context, error)) announceLater(context, eventOf(call, context));
      throw error;
    }
  };

const eventOf = ({ path }: Loose, { now }: Context) => ({
  customer_id: path.customerId ?? 'cust_00000000000000000000000000',
  subscription_id: path.subscriptionId ?? 'sub_00000000000000000000000000',
  occurred_at: now,
});

/** Whether the only thing wrong with a request is the date of its first renewal. */
const isOnlyEarly = (error: Loose): boolean =>
  error instanceof RuleViolation &&
  (error as Loose).findings.every(({ field }: Loose) => field.endsWith('renews_at'));

/** Sends a test event, then rejects the account in the header. */
function beforeTheAccount(): Mutant {
  let known: Context | undefined;
  return {
    ...mutant(
      'A test is sent before the account to act for is looked up',
      'A test is sent before the account to act for is looked up',
      ['WHK-84'],
      {
        createWebhook(_call, context, run) {
          known = context;
          return run();
        },
      },
    ),
    rawResponse(answer, { path, headers }) {
      const isMeant = path.startsWith('/webhooks/test/') && headers['x-service-account'];
      if (answer.status === 401 && isMeant && known) announceLater(known, { user_id: 'u_1' });
      return answer;
    },
  };
}

/** Reads every destination as one with this `connect`. */
const withConnect = (connect: boolean): Advice =>
  reading('webhooks', 'owner', (rows) => rows.map((row) => ({ ...row, connect })));

/** Mutants of which topics exist, what they match, and when an activation is announced. */
export const topicMutants: readonly Mutant[] = [
  hearing('Topics are LIKE patterns, in which _ is any sign', ['WHK-25'], ({ topics }) =>
    topics.some((topic: string) => topic !== '*' && likePattern(topic).test(TOPIC)),
  ),
  hearing(
    'A destination for accounts gets what ends with its topic',
    ['WHK-25'],
    ({ connect, topics }) => connect && topics.some((topic: string) => TOPIC.endsWith(`.${topic}`)),
  ),
  hearing('A destination gets what it was created for', ['WHK-48'], ({ id, topics }, context) =>
    firstTopics(context, id, topics).includes(TOPIC),
  ),
  {
    ...declared('A later start is told to what begins with its topic', ['WHK-85']),
    due: {
      start: during(
        alsoFor(({ topics }) => topics.some((topic: string) => topic.startsWith(TOPIC))),
      ),
    },
  },
  declared('A test sent to one destination ignores its connect', ['WHK-86'], {
    testWebhook: withConnect(false),
    testConnectedWebhook: withConnect(true),
  }),
  declared('A test sent for a connected account reaches all destinations', ['WHK-86'], {
    testConnectedWebhooks: withConnect(true),
  }),
  accepting('Topics are read in small letters', ['WHK-29'], (topic) => topic.toLowerCase()),
  accepting('A * within a topic makes it match all', ['WHK-29'], (topic) =>
    topic.includes('*') ? '*' : topic,
  ),
  accepting('A line feed may end a topic', ['WHK-29'], (topic) => topic.replace(/\n$/, '')),
  declared('An account matchesTopic of a subscription before its dates are checked', ['WHK-84'], {
    createSubscription: announcing(
      (_, { owner, world }, error) => owner !== world.accountId && isOnlyEarly(error),
    ),
  }),
  declared('A resumed subscription is announced before its dates are checked', ['WHK-84'], {
    updateSubscription: announcing(
      ({ body, path }, { tables }, error) =>
        body.status === 'active' &&
        tables.subscriptions.get(path.subscriptionId)?.status === 'inactive' &&
        isOnlyEarly(error),
    ),
  }),
  declared('A change of a published version is announced before it is rejected', ['WHK-84'], {
    updateProductVersion: announcing(
      (_, __, error) => error instanceof Refusal && (error as Loose).status === 409,
    ),
  }),
  beforeTheAccount(),
];
