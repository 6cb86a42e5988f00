import { key } from 'billing-emulator/internals';
import type { Advice, Loose, Mutant } from '../../mutant.ts';
import { ask, keeping, overlay, rescheduled, seeing, through } from '../deep.ts';
import { against } from '../production/window.ts';
import { openingAccountsLate, withPendingAsCover } from './meetings-wallet.ts';

const customerOf = (body: Loose, { tables, owner }: Loose): Loose =>
  body.customer_id
    ? tables.customers.get(body.customer_id)
    : tables.customers.first('external', key(owner, body.customer_external_id ?? ''));

const withEvents = (call: Loose, events: readonly Loose[]): Loose => ({
  ...call,
  body: { ...call.body, events },
});

/** One table of ids for events and for adjustments. */
const sharingIds: Advice = (call, context, run) => {
  const customer = customerOf(call.body, context);
  const isKnown = ({ id }: Loose) =>
    customer && context.tables.transactions.get(key(customer.id, id.toLowerCase()));
  return run(
    withEvents(
      call,
      call.body.events.filter((event: Loose) => !isKnown(event)),
    ),
  );
};

/** A stored event as it was sent. */
const asSent = ({ event_id: id, event_type, occurred_at, subject, description, data }: Loose) => ({
  ...{ id, event_type, occurred_at, data },
  ...(subject !== undefined && { subject }),
  ...(description !== undefined && { description }),
});

/** Prices repeated events again that had neither fees nor costs; those without fees stay as they were. */
const pricingLater: Advice = (call, context, run) => {
  const { tables, owner } = context;
  const customer = customerOf(call.body, context);
  const rowOf = ({ id }: Loose): Loose => tables.events.get(key(owner, id.toLowerCase()));
  const isBare = (row: Loose) =>
    row?.customer_id === customer?.id && row?.fees.length === 0 && row.costs.length === 0;
  const stored = new Set<Loose>(call.body.events.map(rowOf).filter(isBare));
  const events = call.body.events.map((event: Loose) =>
    stored.has(rowOf(event)) ? asSent(rowOf(event)) : event,
  );
  for (const { id } of stored) tables.events.remove(id);
  let reply: Loose;
  try {
    reply = run(withEvents(call, events));
  } catch {
    // Such as one that is too old to be new.
    for (const row of stored) tables.events.put(row);
    return run();
  }
  for (const row of stored) {
    if (rowOf({ id: row.event_id })?.fees.length === 0) tables.events.put(row);
    const task = tables.tasks.get(`${row.customer_id}:${row.subject}`);
    if (task) tables.tasks.put({ ...task, event_count: task.event_count - 1 });
  }
  return reply;
};

/** Ends the subscriptions to an archived version that wait for their start. */
const endingWhatWaits: Advice = (call, context, run) => {
  const { tables, owner } = context;
  const { productId, version: asked } = call.path;
  const product: Loose =
    tables.products.get(productId) ?? tables.products.first('code', key(owner, productId));
  const version = asked === 'default' ? product?.default_version : Number(asked);
  const reply = run();
  const waiting = [...tables.subscriptions.values()]
    .filter((each) => each.owner === owner)
    .filter(({ status, products }) => {
      const holds = products.some((each) => each.id === product.id && each.version === version);
      return status === 'scheduled' && holds;
    });
  for (const { id, customer_id } of waiting) {
    const path = { customerId: customer_id, subscriptionId: id };
    ask('updateSubscription', { path, body: { status: 'inactive' } }, context);
  }
  return reply;
};

/** Leaves the latest rate in force where it has ended and none has followed. */
const buyingAtEndedRates: Advice = (call, context, run) => {
  const { now } = context;
  const unending = (list: readonly Loose[]): Loose[] => {
    const begun = list.filter(({ valid_from }) => valid_from <= now);
    const last = begun.find(({ valid_from, valid_to }) => valid_to !== valid_from);
    if (!last?.valid_to || last.valid_to > now) return [...list];
    const { valid_to: _end, ...period } = last;
    return list.map((each) => (each === last ? period : each));
  };
  return seeing('assets', (row) => rescheduled(row, unending))(call, context, run);
};

/** Keeps the quantities that simulated usage has reached. */
const countingSimulations: Advice = (call, context, run) => {
  const { world, tables } = context;
  const reached: Loose[] = [];
  const noting = overlay(context, 'price_quantities', (table) => ({
    put(row: Loose) {
      if (row.customer_id !== '') reached.push(row);
      return table.put(row);
    },
  }));
  const reply = run(call, noting);
  for (const row of reached) {
    const { seq = world.nextSeq() } = tables.price_quantities.get(row.id) ?? {};
    tables.price_quantities.put({ ...row, seq });
  }
  return reply;
};

/** The costs of a vendor by day and category, those in other currencies at the newest rate. */
const convertingAnew: Advice = through('vendor_days', (_, { path }, context) => ({
  list() {
    const { tables, owner, settings } = context;
    const rateOf = (currency: string): number => {
      const asset: Loose = tables.assets.get(key(owner, currency));
      const rate = asset?.schedules[settings.reporting_currency]?.find(
        ({ valid_from }: Loose) => valid_from <= context.now,
      )?.rate;
      return Number(rate ?? 0);
    };
    const costOf = ({ amount, currency, cost }: Loose): string =>
      currency === settings.reporting_currency
        ? cost
        : (Number(amount) * rateOf(currency)).toFixed(10).replace(/\.?0+$/, '');
    const rows = tables.events.list('owner', owner).flatMap(({ occurred_at, costs }) =>
      costs
        .filter(({ vendor_id }) => vendor_id === path.vendorId)
        .map((record) => ({
          day: occurred_at.slice(0, 10),
          category: record.category ?? null,
          cost: costOf(record),
        })),
    );
    return rows.toSorted((left, right) => (left.day < right.day ? -1 : 1));
  },
}));

/** Removes a product none of whose subscriptions has started, and ends those. */
const removingWhatWaits: Advice = ({ path }, context, run) => {
  const { tables, owner } = context;
  const { productId } = path;
  const product: Loose = tables.products.get(productId);
  const held = [...tables.subscriptions.values()]
    .filter((each) => each.owner === owner)
    .filter(({ products }) => products.some(({ id }) => id === productId));
  const hasStarted = held.some(({ started_at }) => started_at !== undefined);
  if (product?.owner !== owner || !product.used || hasStarted) return run();
  for (const { id, customer_id, status } of held) {
    const call = { path: { customerId: customer_id, subscriptionId: id }, body: {} };
    if (status !== 'inactive')
      ask('updateSubscription', { ...call, body: { status: 'inactive' } }, context);
  }
  for (const { id } of [...tables.versions.list('product', productId)]) tables.versions.remove(id);
  tables.products.remove(productId);
  return { status: 204 };
};

/** Features that are each right alone and go wrong where they meet. */
export const meetingBugs: readonly Mutant[] = [
  against(
    "Usage event, id: caller's unique id; A-707: ids of transactions are unique across adjustments and charges",
    'takes an event whose id is that of an adjustment for a repeated one',
    { submitEvents: sharingIds },
  ),
  against(
    'Usage event, id: the same id is idempotent; A-802: a repeated id is ignored, whatever its content',
    'prices an event that had no fees when it is repeated after a subscription',
    { submitEvents: pricingLater },
  ),
  against(
    'A-509: charges the first whose wallet account covers its whole fee; A-710: pending_in is no part of available',
    'takes credit that is not yet effective for cover when it chooses the asset of a fee',
    { submitEvents: withPendingAsCover },
  ),
  against(
    'A-610: wallet accounts are opened when a product is subscribed to, before any payment',
    'opens the accounts of a wallet only with the payment',
    { createSubscription: openingAccountsLate, createCustomer: openingAccountsLate },
  ),
  against(
    'Versioning 3: archiving a version makes it unavailable for subscription; A-502: it continues to bill its subscribers',
    'ends with a version the subscriptions to it that have yet to start',
    { archiveProductVersion: endingWhatWaits },
  ),
  against(
    'A-1102: without a rate at initiation the response is 422; A-403: after a sent valid_to no rate is in force',
    'sells credit at a rate that has ended',
    { createTopUp: buyingAtEndedRates },
  ),
  against(
    'Task: created_at (first event); A-1001: the occurred_at of the first event',
    'leaves the beginning of a task where it is when an earlier event comes late',
    {
      submitEvents: keeping('tasks', (row, _, { tables }) => ({
        ...row,
        created_at: tables.tasks.get(row.id)?.created_at ?? row.created_at,
      })),
    },
  ),
  against(
    'A-512: simulation stores nothing; A-1501: the quantity so far counts the events that the price charged',
    'counts simulated usage of a customer in the quantity so far',
    { simulateUsage: countingSimulations },
  ),
  against(
    'A-901: converted with the rate in force at the event, fixed at submission; GET /vendors/{vendorId}/stats',
    'converts the costs of a vendor at the newest rate',
    { getVendorStats: convertingAnew },
  ),
  against(
    'A-503: a product is used if any subscription ever referred to it; deleting a used product archives it',
    'removes a product whose only subscription awaits its payment',
    { deleteProduct: removingWhatWaits },
  ),
];
