import { RuleViolation, spansAfter } from 'billing-emulator/internals';
import { type Advice, each, type Loose, type Mutant, mutant, showing } from '../mutant.ts';
import { bugs } from './bug.ts';
import { ask, keeping, refuse, through } from './deep.ts';
import { dueBugs, thenAlso } from './due-bug.ts';

/** Bugs of products, versions, subscriptions and their webhook events in combination. */

/** Moves a subscription to another version, if that is possible. */
function moveTo(context: Loose, subscription: Loose, productId: string, version: number): void {
  const path = { customerId: subscription.customer_id, subscriptionId: subscription.id, productId };
  try {
    ask('updateSubscriptionProduct', { path, body: { version } }, context);
  } catch (rejection) {
    if (!(rejection instanceof RuleViolation)) throw rejection;
  }
}

/** Moves subscriptions to the former default version to the new default. */
const withTheDefault: Advice = (call, context, run) => {
  const { tables, owner } = context;
  const { productId } = call.path;
  const former = tables.products.get(productId)?.default_version;
  const reply = run();
  const next = tables.products.get(productId)?.default_version;
  if (former === undefined || next === undefined || former === next) return reply;
  for (const row of [...tables.subscriptions.values()].filter((each) => each.owner === owner))
    if (row.products.some(({ id, version }) => id === productId && version === former))
      moveTo(context, row, productId, next);
  return reply;
};

const held = (row: Loose, productId: string): Loose =>
  row.products.find(({ id }: Loose) => id === productId);

/** Delivers an event to a destination once for each of its matching topics. */
const forEachTopic = through('webhook_events', (table, _, { tables }) => ({
  put(row: Loose) {
    const kept = table.put(row);
    const isTwice = (id: string) =>
      ['*', kept.topic].every((topic) => tables.webhooks.get(id)?.topics.includes(topic));
    const matched_destination_ids = kept.matched_destination_ids.flatMap((id: string) =>
      isTwice(id) ? [id, id] : [id],
    );
    return { ...kept, matched_destination_ids };
  },
}));

/** Changes the findings of a rejected request. */
const telling =
  (change: (findings: readonly Loose[]) => readonly Loose[]): Advice =>
  (_call, _context, run) => {
    try {
      return run();
    } catch (rejection) {
      if (!(rejection instanceof RuleViolation)) throw rejection;
      throw new RuleViolation(change((rejection as Loose).findings) as Loose);
    }
  };

export const planInteractions: readonly Mutant[] = [
  ...bugs({
    createProduct: {
      'gives the code of an archived product again': through('products', (table) => ({
        first(index: string, key: string) {
          return table.list(index, key).find(({ archived }: Loose) => !archived);
        },
      })),
    },
    updateSubscriptionProduct: {
      'takes a version that is held already, archived as it may be': (
        call,
        { tables, owner },
        run,
      ) => {
        const { subscriptionId, customerId, productId } = call.path;
        const row = tables.subscriptions.get(subscriptionId);
        const isOurs = row?.owner === owner && row.customer_id === customerId;
        return isOurs && held(row, productId)?.version === call.body.version
          ? { status: 204 }
          : run();
      },
      'begins a new period with the new version': keeping('subscriptions', (row, _, { now }) => {
        if (!row.renewal || row.status !== 'active') return row;
        const renewal = { ...row.renewal, from: now, count: 1 };
        return { ...row, renewal, renews_at: spansAfter(now, renewal.span, 1) };
      }),
    },
    listSubscribers: {
      'shows the version that was first subscribed to': each(
        'items',
        ({ subscription_id, version: now }, { path }, { tables }) => {
          const first = tables.subscriptions.get(subscription_id)?.history[0];
          return { version: (first && held(first, path.productId)?.version) ?? now };
        },
      ),
      'lists a customer once for each subscription': showing((body, { path }, { tables }) => {
        const items = body.items.flatMap((item: Loose) =>
          tables.subscriptions
            .list('customer', item.customer_id)
            .filter((row) => row.status === 'active' && held(row, path.productId))
            .map(() => item),
        );
        return { items, total_count: body.total_count + items.length - body.items.length };
      }),
    },
    listCustomers: {
      'counts what has yet to start as active': each(
        'items',
        ({ id, active_subscription_count: count }, _, { tables }) => ({
          active_subscription_count:
            count +
            tables.subscriptions.list('customer', id).filter(({ status }) => status === 'scheduled')
              .length,
        }),
      ),
    },
    updateSubscription: {
      'tells of the first start when it is taken up again': keeping(
        'webhook_events',
        (row, { path }, { tables }) => {
          const occurred_at = tables.subscriptions.get(path.subscriptionId)?.started_at;
          if (!occurred_at) return row;
          const body = row.body.replace(/("occurred_at":)"[^"]*"/, `$1"${occurred_at}"`);
          return { ...row, data: { ...row.data, occurred_at }, body };
        },
      ),
    },
    createCustomer: {
      'tells of the first of several subscriptions': through('webhook_events', (table) => {
        let first: string | undefined;
        return {
          put(row: Loose) {
            first ??= row.event_id;
            return first === row.event_id
              ? table.put(row)
              : { ...row, matched_destination_ids: [] };
          },
        };
      }),
      'takes external ids of other accounts for taken': (call, { tables, world }, run) => {
        const { external_id } = call.body;
        const accounts = [...tables.accounts.values()]
          .filter((each) => each.owner === world.accountId)
          .map(({ id }) => id);
        const isTaken = (owner: string) =>
          tables.customers.first('external', `${owner}\n${external_id}`);
        if (external_id && [world.accountId, ...accounts].some(isTaken)) refuse('external_id');
        return run();
      },
      'names the first subscription where another one is wrong': telling((findings) =>
        findings.map(({ field, ...finding }) => ({
          ...finding,
          field: field.replace(/^subscriptions\[\d+\]/, 'subscriptions[0]'),
        })),
      ),
    },
    submitEvents: {
      'tells what is wrong with the first bad event alone': telling((findings) => {
        const [first] = findings[0].field.match(/^events\[\d+\]/) ?? [''];
        return findings.filter(({ field }) => field.startsWith(first));
      }),
    },
  }),
  ...dueBugs({
    renewal: {
      'moves from an archived version to the default': thenAlso((row, context) => {
        for (const { id, version } of row.products) {
          const isArchived =
            context.tables.versions.get(`${id}\n${version}`)?.status === 'archived';
          const next = context.tables.products.get(id)?.default_version;
          if (isArchived && next !== undefined) moveTo(context, row, id, next);
        }
      }),
    },
  }),
  mutant('default: takes subscribers along', 'A new default version takes subscribers along', [], {
    createProductVersion: withTheDefault,
    updateProductVersion: withTheDefault,
  }),
  mutant('delivery: once for each topic', 'Tells a destination once for each topic that fits', [], {
    createCustomer: forEachTopic,
    createSubscription: forEachTopic,
    updateSubscription: forEachTopic,
    testWebhooks: forEachTopic,
  }),
];
