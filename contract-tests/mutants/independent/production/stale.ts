import { key } from 'billing-emulator/internals';
import { each, type Loose, type Mutant } from '../../mutant.ts';
import { against, cached, cachedWhile } from './window.ts';

/** Caches that some writes do not refresh. */
export const staleBugs: readonly Mutant[] = [
  against(
    'Customer, detail: subscriptions; PATCH …/subscriptions/{subscriptionId}/products/{productId}',
    'shows the former version of a subscribed product after its change',
    {
      getCustomer: cachedWhile(({ path }, { tables }) => [
        tables.customers.get(path.customerId),
        tables.subscriptions
          .list('customer', path.customerId)
          .map(({ id, status, started_at, renews_at, payment }) => [
            ...[id, status, started_at, renews_at, payment],
          ]),
      ]),
    },
  ),
  against(
    'Customer, summary: active_subscription_count; States, action_required to active',
    'does not count a subscription that a payment has activated since the last list',
    {
      listCustomers: each('items', ({ id, active_subscription_count }, _, context) => {
        const rows = context.tables.subscriptions.list('customer', id);
        const stamp = rows.map((row) => [row.id, row.status === 'inactive']);
        return {
          active_subscription_count: cached(
            context,
            ['count', id],
            stamp,
            () => active_subscription_count,
          ),
        };
      }),
    },
  ),
  against(
    'GET /customers: 2. When external_id is given and none matches, the response is 404',
    'remembers an external id that nobody had, also when a customer is given it',
    {
      listCustomers(call, context, run) {
        const { external_id } = call.query;
        if (external_id === undefined) return run();
        const customers = context.tables.customers.list('owner', context.owner);
        const find = () =>
          context.tables.customers.first('external', key(context.owner, external_id));
        const isKnown = cached(context, ['known', external_id], customers.length, () => !!find());
        return isKnown ? run() : { status: 404 };
      },
    },
  ),
  against(
    'GET /customers/stats: items[{id, external_id, name, stats}]',
    'shows the former name of a customer until its figures change',
    {
      listCustomerStats: each('items', ({ id, name, external_id, stats }, _, context) =>
        cached(context, ['name', id], stats, () => ({ name, external_id })),
      ),
    },
  ),
  against(
    'Profitability stats: total_costs',
    'does not count the costs of an event without fees until the next fee',
    {
      getCustomerStats: cachedWhile(
        ({ path }, { tables }) => tables.totals.get(path.customerId)?.revenue ?? '0',
      ),
    },
  ),
  against(
    'Usage event, occurred_at: historical events; GET /vendors/{vendorId}/stats: period_from, period_to',
    'keeps the figures of a past period, whatever is submitted late',
    {
      getVendorStats(call, context, run) {
        const { period_to = '9' } = call.query;
        if (period_to >= context.now.slice(0, 10)) return run();
        return cached(context, ['closed', call.path, call.query], '', () => run());
      },
    },
  ),
  against(
    'POST /assets/{assetCode}/rates: valid_from; POST /assets/{assetCode}/quote',
    'quotes the former rate when one set earlier for the future has begun',
    {
      quoteAsset(call, context, run) {
        if (call.body.exchange_at) return run();
        const code = call.path.assetCode;
        const rates: Loose = context.tables.assets.get(key(context.owner, code));
        const exchange_at = cached(context, ['rate', code], rates?.schedules, () => context.now);
        return run({ ...call, body: { ...call.body, exchange_at } });
      },
    },
  ),
  against(
    'GET /products/{productId}/subscribers: customers subscribed to the product',
    'does not refresh the subscribers of a product when a subscription changes or ends',
    {
      listSubscribers: cachedWhile((_, { tables, owner }) =>
        [...tables.subscriptions.values()]
          .filter((each) => each.owner === owner)
          .map(({ id }) => id),
      ),
    },
  ),
];
