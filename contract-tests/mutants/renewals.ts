import { spansAfter } from 'billing-emulator/internals';
import { ask, keeping, overlay, reading, seeing } from './independent/deep.ts';
import { during, instantOf, LENGTH_OF_DAY, subscriptionDue } from './independent/due-bug.ts';
import { storingEver } from './independent/trackers/lasting.ts';
import { type Advice, asking, declared, type Loose, type Mutant } from './mutant.ts';

const unitOf = (span: Loose): Loose => span.interval ?? span;
const isLastDay = (at: string): boolean =>
  instantOf(Date.parse(at) + LENGTH_OF_DAY).slice(8, 10) === '01';
const isSummer = (at: string): boolean => at.slice(5, 7) > '03' && at.slice(5, 7) < '11';

/** Changes every renewal by the calendar, from the moment that it is counted from. */
function renewing(change: (next: string, from: string, renewal: Loose) => string) {
  const advice = storingEver('subscriptions', (row) => {
    const { from, span, count } = row.renewal ?? {};
    if (!row.renewal || !row.renews_at || typeof span === 'number') return row;
    const next = spansAfter(from, span, count);
    return next ? { ...row, renews_at: change(next, from, row.renewal) } : row;
  });
  return { createSubscription: advice, createCustomer: advice };
}

/** The subscription with its next renewal counted from another moment. */
function countedAgain(row: Loose, from: Loose, now: string): Loose {
  const { span } = row.renewal;
  let count = 1;
  while ((spansAfter(from, span, count) ?? '9') <= now) count += 1;
  const renewal = { ...row.renewal, from, count };
  return { ...row, renewal, renews_at: spansAfter(from, span, count) };
}

/** Changes running subscriptions that renew by the calendar before an operation stores them. `former` is the row before. */
const keepingRenewed = (change: (row: Loose, former: Loose, call: Loose, now: string) => Loose) =>
  keeping('subscriptions', (row, call, { tables, now }) => {
    const former: Loose = tables.subscriptions.get(row.id);
    const isRenewed = [row, former].every(
      (each) => each?.status === 'active' && each.renewal && typeof each.renewal.span !== 'number',
    );
    return isRenewed ? change(row, former, call, now) : row;
  });

const isMoved = ({ renewal, anchor }: Loose): boolean => renewal.from !== anchor;
const isSameSpan = (left: Loose, right: Loose): boolean =>
  JSON.stringify(left.renewal.span) === JSON.stringify(right.renewal.span);

/** Counts from the anchor again after a change of version, if the renewal was moved before. */
const forgettingTheMove = (isMeant: (row: Loose, former: Loose) => boolean): Advice =>
  keepingRenewed((row, former, _, now) =>
    isMoved(former) && isMeant(row, former) ? countedAgain(row, row.anchor, now) : row,
  );

/** Ends a subscription to an archived version in place of its due work. */
const endingTheArchived = during((due, context, run) => {
  const { id, customer_id, products } = subscriptionDue(due, context);
  const statusOf = (product: Loose) =>
    context.tables.versions.get(`${product.id}\n${product.version}`)?.status;
  if (!products.some((product: Loose) => statusOf(product) === 'archived')) return run();
  const path = { customerId: customer_id, subscriptionId: id };
  ask('updateSubscription', { path, body: { status: 'inactive' } }, context);
  return { outcome: 'inactive' };
});

/** The customer without a payment method, until the customer has paid for a subscription. */
const unsavedUntilPaid = seeing('customers', (row, _, { tables }) => {
  const hasPaid = [...tables.fee_payments.values()].some(
    ({ customer_id }) => customer_id === row.id,
  );
  return hasPaid ? row : { ...row, payment_method: undefined };
});

/** Removed payment methods stay removed. */
const neverSavedAgain = (): Advice => {
  const removed = new WeakMap<object, Set<string>>();
  return storingEver('customers', (row, table) => {
    const ids = removed.get(table) ?? new Set();
    removed.set(table, ids);
    if (table.get(row.id)?.payment_method && !row.payment_method) ids.add(row.id);
    return ids.has(row.id) ? { ...row, payment_method: undefined } : row;
  });
};

/** A payment method that is saved while a renewal is unpaid is declined. */
const decliningWhileUnpaid = storingEver('customers', (row, _, { tables }: Loose) => {
  const isUnpaid = tables.subscriptions
    .list('customer', row.id)
    .some(({ status, started_at }: Loose) => status === 'action_required' && started_at);
  if (!row.payment_method || !isUnpaid) return row;
  return { ...row, payment_method: { ...row.payment_method, declines_later: true } };
});

/** Leaves the revenue of due work out of all totals. */
const countingNothing = during((due, context, run) => {
  const keepNothing = () => ({ put: (row: Loose) => row });
  return run(due, overlay(context, 'totals', keepNothing));
});

/** Mutants of when subscriptions renew, and whether they do. */
export const renewalMutants: readonly Mutant[] = [
  declared('Renewals keep the wall-clock time of Central Europe', ['SUB-68'], {
    ...renewing((next, from) => {
      const hours = Number(isSummer(from)) - Number(isSummer(next));
      return instantOf(Date.parse(next) + hours * 3_600_000);
    }),
  }),
  declared('A start on the last day of a short month renews on last days', ['SUB-68'], {
    ...renewing((next, from) => {
      let last = next;
      while (isLastDay(from) && !isLastDay(last))
        last = instantOf(Date.parse(last) + LENGTH_OF_DAY);
      return last;
    }),
  }),
  declared('A year from 29 February ends on 1 March', ['SUB-68'], {
    ...renewing((next, from, { span }) =>
      unitOf(span) === 'year' && from.slice(5, 10) === '02-29'
        ? next.replace('-02-28', '-03-01')
        : next,
    ),
  }),
  declared('Several months from a day that a short month lacks stay on its last day', ['SUB-68'], {
    ...renewing((next, from, { span, count }) => {
      if (span.interval !== 'month') return next;
      let at: Loose = from;
      for (let done = 0; done < count; done += 1) at = spansAfter(at, span, 1);
      return at;
    }),
  }),
  declared('Both addresses in one update begin a new period', ['SUB-69'], {
    updateSubscription: keepingRenewed((row, _, { body }, now) =>
      body.return_url && body.failure_url && !body.renews_at ? countedAgain(row, now, now) : row,
    ),
  }),
  declared('Another update forgets that the renewal was moved', ['SUB-69'], {
    updateSubscription: keepingRenewed((row, _, { body }, now) =>
      body.renews_at === undefined && isMoved(row) ? countedAgain(row, row.anchor, now) : row,
    ),
  }),
  declared('A renewal that is sent as it was shown is put off', ['SUB-69'], {
    updateSubscription: asking(({ body, path }, { tables }) => {
      const { renews_at, renewal }: Loose = tables.subscriptions.get(path.subscriptionId) ?? {};
      if (renewal && body.renews_at && instantOf(Date.parse(body.renews_at)) === renews_at)
        body.renews_at = spansAfter(renews_at, renewal.span, 1);
    }),
  }),
  declared('Another version forgets that the renewal was moved', ['SUB-69'], {
    updateSubscriptionProduct: forgettingTheMove(isSameSpan),
  }),
  declared('Another interval forgets that the renewal was moved', ['SUB-69'], {
    updateSubscriptionProduct: forgettingTheMove((row, former) => !isSameSpan(row, former)),
  }),
  {
    ...declared('A scheduled subscription to an archived version does not start', ['SUB-71']),
    due: { start: endingTheArchived },
  },
  {
    ...declared('A subscription to an archived version ends with its period', ['SUB-71']),
    due: { renewal: endingTheArchived },
  },
  {
    ...declared('A renewal is not paid by a card that never paid a fee', ['SUB-84']),
    due: { renewal: during(unsavedUntilPaid) },
  },
  declared('After one card was removed, no other is kept', ['SUB-84'], {
    createCustomer: neverSavedAgain(),
  }),
  declared('A card that is saved while a renewal is unpaid does not pay it', ['SUB-85'], {
    createCustomer: decliningWhileUnpaid,
  }),
  {
    ...declared('Shares of a fee whose credit is missed are never revenue', ['SUB-86']),
    due: { payment_link_expiry: countingNothing, refresh: countingNothing },
  },
  declared('A resumption gives again credit of which nothing is left', ['SUB-87'], {
    updateSubscription: reading('grants', 'entitlement', (grants) =>
      grants.filter(({ remaining }) => Number(remaining) > 0),
    ),
  }),
];
