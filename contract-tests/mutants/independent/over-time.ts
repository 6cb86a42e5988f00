import { type Span, spansAfter } from 'billing-emulator/internals';
import { asking, type Loose, type Mutant, mutant } from '../mutant.ts';
import { bugs } from './bug.ts';
import { ask, keeping, reading, seeing } from './deep.ts';
import {
  dueBugs,
  during,
  instantOf,
  keepingActive,
  LENGTH_OF_DAY,
  midnightBefore,
  subscriptionDue,
  thenAlso,
  topUpDue,
} from './due-bug.ts';

/** Changes how the next renewal is counted after a renewal. */
const renewingBy = (next: (at: string, renewal: Loose, context: Loose) => Loose) =>
  keepingActive((row, { at }, context) => {
    if (!row.renewal) return {};
    const renewal = { ...row.renewal, ...next(at, row.renewal, context) };
    return { renewal, renews_at: spansAfter(renewal.from, renewal.span, renewal.count) };
  });

/** The same day of the next month or year; a day that is missing runs over into the following month. */
function runOver(at: string, span: Span): string {
  const date = new Date(at);
  if (span === 'month') date.setUTCMonth(date.getUTCMonth() + 1);
  else date.setUTCFullYear(date.getUTCFullYear() + 1);
  return instantOf(date);
}

const isCalendar = (span: Span): boolean => span === 'month' || span === 'year';

/** A version with the fixed prices of the subscription's previous version. */
const atFormerPrice = seeing('versions', (version, due, context) => {
  const isOf = ({ id }: Loose) => id === version.product_id;
  const held = subscriptionDue(due, context)
    .history.map(({ products }: Loose) => products.find(isOf))
    .findLast((product: Loose) => product && product.version !== version.version);
  const former: Loose = held && context.tables.versions.get(`${held.id}\n${held.version}`);
  const byType = (prices: Loose[], type: string) => prices.filter((each) => each.type === type);
  if (!former) return version;
  const prices = [...byType(former.prices, 'fixed'), ...byType(version.prices, 'usage_based')];
  return { ...version, prices };
});

/** Lets the payment link of a subscription end at the next midnight. */
const endingAtMidnight = keeping('subscriptions', (row, _, { now }) => {
  if (row.payment?.status !== 'open') return row;
  const expires_at = instantOf(Date.parse(midnightBefore(now)) + LENGTH_OF_DAY);
  return { ...row, payment: { ...row.payment, expires_at } };
});

/** Makes the last 30 days the default period of stats. */
const lately = asking(({ query }, { now }) => {
  if (query.period_from || query.period_to) return;
  query.period_from = instantOf(Date.parse(now) - 29 * LENGTH_OF_DAY).slice(0, 10);
});

/** Lets rates start and end at midnight only. */
const byDay = seeing('assets', (asset) => {
  const changed = ({ valid_from, valid_to, ...rate }: Loose) => ({
    ...rate,
    valid_from: midnightBefore(valid_from),
    ...(valid_to && { valid_to: midnightBefore(valid_to) }),
  });
  const schedules = Object.entries(asset.schedules).map(([source, periods]: Loose) => [
    source,
    periods.map(changed),
  ]);
  return { ...asset, schedules: Object.fromEntries(schedules) };
});

/** Hides rows that are older than a day. */
const ofToday = (table: 'events' | 'transactions') =>
  seeing(table, (row, _, { now }) =>
    Date.parse(row.created_at) > Date.parse(now) - LENGTH_OF_DAY ? row : undefined,
  );

/** Treats quarterly tiers as monthly. */
const monthlyQuarters = seeing('versions', (version) => ({
  ...version,
  prices: version.prices.map((price: Loose) =>
    price.tiering?.period === 'quarterly'
      ? { ...price, tiering: { ...price.tiering, period: 'monthly' } }
      : price,
  ),
}));

/** Bugs in renewals, links, stats, rates and retries as time passes. */
export const overTimeBugs: readonly Mutant[] = [
  ...dueBugs({
    renewal: {
      'counts the next month from the last renewal, so that a day lost in February stays lost':
        renewingBy((from, { span }) => (isCalendar(span) ? { from, count: 1 } : {})),
      'runs over into the month after one that is too short': renewingBy((at, { span }) =>
        isCalendar(span) ? { from: runOver(at, span), count: 0 } : {},
      ),
      'takes a year for 365 days': renewingBy((from, { span }) =>
        span === 'year' ? { from, span: 365 * LENGTH_OF_DAY, count: 1 } : {},
      ),
      'renews every single interval from the second period on': renewingBy((from, { span }) =>
        span.interval ? { from, span: span.interval, count: 1 } : {},
      ),
      'renews once for all periods that passed while nobody looked at the clock': renewingBy(
        (_, { from, span, count }, { world }) => {
          let next = count;
          while ((spansAfter(from, span, next) ?? world.now) < world.now) next += 1;
          return { count: next };
        },
      ),
      'renews once where only a date was asked for': keepingActive(({ renewal }) =>
        typeof renewal?.span === 'number' ? { renewal: undefined, renews_at: undefined } : {},
      ),
      'asks for one-time fees again': reading('fee_payments', 'subscription', (rows) =>
        rows.map(({ one_times: _paid, ...row }) => row),
      ),
      'collects the fee of the version before the change': atFormerPrice,
      'ends the subscription whose payment is refused': thenAlso(
        ({ customer_id: customerId, id: subscriptionId }, context, { outcome }) => {
          const path = { customerId, subscriptionId };
          if (outcome === 'declined')
            ask('updateSubscription', { path, body: { status: 'inactive' } }, context);
        },
      ),
      'ends credit when a payment is refused': thenAlso(({ id }, { tables, now }, { outcome }) => {
        if (outcome !== 'declined') return;
        for (const grant of [...tables.grants.values()])
          if (grant.entitlement?.subscription_id === id && grant.remaining !== '0')
            tables.grants.put({ ...grant, expires_at: now });
      }),
    },
    payment_link_expiry: {
      'stops billing the usage of who is past due': thenAlso((row, { tables, now }) => {
        const history = row.history.map((held: Loose) => ({ ...held, to: held.to ?? now }));
        tables.subscriptions.put({ ...row, history });
      }),
    },
    top_up_link_expiry: {
      'shows a top-up that nobody paid as failed': keeping('top_ups', (row) => ({
        ...row,
        status: 'failed',
      })),
    },
    top_up_settlement: {
      'lets money that is on its way run out with the link': (due, context, run) => {
        const { payment, ...topUp } = topUpDue(due, context);
        if (payment.expires_at > context.now) return run();
        const { settles_at: _never, ...ended } = payment;
        context.tables.top_ups.put({ ...topUp, payment: ended, status: 'expired' });
        return { outcome: 'expired' };
      },
    },
    start: {
      'counts the periods of what was paid ahead from the payment': keepingActive(
        (row, _, { tables }) => {
          const [payment] = tables.fee_payments.list('subscription', row.id);
          if (!payment || !row.renewal) return {};
          const anchor = payment.created_at;
          const renewal = { ...row.renewal, from: anchor };
          return { anchor, renewal, renews_at: spansAfter(anchor, renewal.span, renewal.count) };
        },
      ),
    },
  }),
  ...bugs({
    updateSubscription: {
      'begins anew where it takes up a free subscription again': keepingActive(
        ({ id }, _, { tables, now }) =>
          tables.subscriptions.get(id)?.status === 'inactive' ? { anchor: now } : {},
      ),
    },
    submitEvents: {
      'begins each quarter anew with every month': monthlyQuarters,
      'knows the ids of events for a day': ofToday('events'),
    },
    listCustomerStats: { 'shows the last 30 days where no period is asked for': lately },
  }),
  {
    ...mutant('payment_link_expiry: at midnight', 'Payment links end at midnight', [], {
      createCustomer: endingAtMidnight,
      createSubscription: endingAtMidnight,
      updateSubscription: endingAtMidnight,
    }),
    due: { payment_link_expiry: during(endingAtMidnight), renewal: during(endingAtMidnight) },
  },
  {
    ...mutant('delivery: nine attempts', 'Gives up a delivery after the ninth attempt', []),
    settings: { retry_schedule: '5s,5m,30m,2h,5h,10h,14h,20h' },
  },
  {
    ...mutant('delivery: from the event', 'Counts all waits of a delivery from the event', []),
    settings: { retry_schedule: '5s,295s,25m,90m,3h,5h,4h,6h,4h' },
  },
  mutant('setAssetRate: changes rates at midnight', 'Rates change at midnight only', [], {
    submitEvents: byDay,
    chargeWallet: byDay,
    quoteAsset: byDay,
  }),
  mutant('adjustWallet: knows ids for a day', 'Knows ids of transactions for a day', [], {
    adjustWallet: ofToday('transactions'),
    chargeWallet: ofToday('transactions'),
  }),
];
