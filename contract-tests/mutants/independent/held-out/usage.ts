import { type Advice, each, type Loose, type Mutant, mutant, showing } from '../../mutant.ts';
import { across, bugs, sending } from '../bug.ts';
import { keeping, reading } from '../deep.ts';

/** Bugs in usage, tasks and webhook events. */

/** The first row of a fee's price, in the fee's asset. */
function firstRowOf(
  { product_id, product_version, price_id, currency }: Loose,
  { tables }: Loose,
): Loose {
  const version = tables.versions.get(`${product_id}\n${product_version}`);
  const price = version.prices.find(({ id }: Loose) => id === price_id);
  const { values } = price.pricing.find(({ asset }: Loose) => asset === currency);
  return values[0].values?.[0] ?? values[0];
}

/** Lists only the first destination of each URL. */
const onceForEachAddress = reading('webhooks', 'owner', (rows) =>
  rows.filter(({ url }, place) => rows.findIndex((row) => row.url === url) === place),
);

/** Gives the envelope of each event an id that differs from the event's. */
const underOwnId = keeping('webhook_events', (row) => {
  const own = `evt_${[...row.event_id.slice(4)].reverse().join('')}`;
  return { ...row, body: row.body.replace(row.event_id, own) };
});

const withoutNulls = (text: string): string =>
  JSON.stringify(JSON.parse(text, (_, value) => (value === null ? undefined : value)));

const dropsNulls: Advice = sending((body) => {
  body.text = withoutNulls(body.text);
});

/** Puts the customer's external id, if any, in the event in place of the id. */
const namingByExternalId = keeping('webhook_events', (row, _, { tables }) => {
  const { customer_id } = row.data;
  const external_id = tables.customers.get(customer_id)?.external_id;
  if (!external_id) return row;
  const data = { ...row.data, customer_id: external_id };
  const body = row.body.replace(JSON.stringify(customer_id), JSON.stringify(external_id));
  return { ...row, data, body };
});

export const heldOutUsageBugs: readonly Mutant[] = [
  ...bugs({
    submitEvents: {
      'takes the amount of a cost for that of each of its units': sending(({ events }) => {
        for (const { costs } of events)
          for (const cost of costs ?? [])
            if (cost.units) cost.amount = Number((cost.amount * cost.units).toFixed(10));
      }),
    },
    listEvents: {
      'counts those of the first of several types': (call, _, run) => {
        const { event_types: types = [] } = call.query;
        const reply = run();
        if (types.length < 2) return reply;
        const first = run({ ...call, query: { ...call.query, event_types: types.slice(0, 1) } });
        return { ...reply, body: { ...reply.body, total_count: first.body.total_count } };
      },
    },
    getEvent: {
      'leaves out fees where there are none': showing(({ fees }) =>
        fees.length === 0 ? { fees: undefined } : {},
      ),
      'shows the package size of the first row of a price': each('fees', (fee, _, context) =>
        fee.package_size === null ? {} : { package_size: firstRowOf(fee, context).package_size },
      ),
    },
    listTasks: {
      'leaves out an offset of 0': showing(({ offset }) =>
        offset === 0 ? { offset: undefined } : {},
      ),
    },
    listWebhookEvents: {
      'shows how many there are as the limit': showing(({ items, pagination }) => ({
        pagination: { ...pagination, limit: Math.max(1, items.length) },
      })),
    },
  }),
  mutant(
    'delivery: once for each address',
    'Tells an address that two destinations have once',
    [],
    {
      testWebhooks: onceForEachAddress,
      createSubscription: onceForEachAddress,
      createCustomer: onceForEachAddress,
    },
  ),
  mutant('testWebhooks: sends a test under an id of its own', 'Tests have another id', [], {
    testWebhooks: underOwnId,
    testWebhook: underOwnId,
  }),
  mutant('testWebhooks: leaves out what is null in the data', 'Tests lack what is null', [], {
    testWebhooks: dropsNulls,
    testWebhook: dropsNulls,
  }),
  across('tells of an activation by the external id of the customer', {
    createSubscription: namingByExternalId,
    createCustomer: namingByExternalId,
  }),
  {
    ...mutant('delivery: writes events of accounts anew', 'Signs before the account is added', []),
    posting(post) {
      const { account_id, ...envelope } = JSON.parse(post.body);
      if (account_id === undefined) return post;
      return { ...post, body: JSON.stringify({ ...envelope, account_id }) };
    },
  },
];
