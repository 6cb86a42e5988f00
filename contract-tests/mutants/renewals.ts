import { spansAfter } from 'billing-emulator/internals';
import { ask, keeping } from './independent/deep.ts';
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
    ...declared('A subscription to an archived version ends with its period', ['SUB-65', 'SUB-71']),
    due: { renewal: endingTheArchived },
  },
];
