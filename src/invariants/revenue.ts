import {
  add,
  CURRENCY_PLACES,
  type Decimal,
  decimal,
  format,
  negate,
  round,
  subtract,
  sum,
  ZERO,
} from '../domain/decimal.ts';
import { revenueOfDraw, worthOf } from '../domain/grants.ts';
import { earliest } from '../domain/instant.ts';
import { costOf } from '../domain/rates.ts';
import type {
  FeePaymentRow,
  GrantRow,
  Posting,
  SubscriptionRow,
  TransactionRow,
} from '../store/records.ts';
import type { RecordTables } from '../store/schema.ts';
import { inOrderOfCreation, type TimeSliced } from '../store/time-sliced.ts';
import { differing, findInEach, type Violation } from './invariant.ts';

/**
 * Checks what counted as revenue: each draw and each debt by a replay of the postings, each collected fee by
 * what it was deferred for, and every customer by what all of that comes to.
 *
 * @units   the reporting currency
 * @assumes
 */
export function* verifyRevenue(tables: RecordTables): TimeSliced<Violation[]> {
  const left = new Map<string, Decimal>();
  const transactions = yield* inOrderOfCreation(tables.transactions.values());
  const ofTransactions = yield* findInEach(transactions, (transaction) => [
    ...validateDebt(transaction),
    ...transaction.postings.flatMap((posting) => {
      const grant = tables.grants.get(posting.grant_id ?? '');
      if (!grant || posting.from !== 'wallet') return [];
      const before = left.get(grant.id) ?? givenOf(grant);
      left.set(grant.id, subtract(before, decimal(posting.amount)));
      return validateDraw(grant, before, posting);
    }),
  ]);
  const shares = yield* sharesGiven(tables.grants.values());
  const ofPayments = yield* findInEach(tables.fee_payments.values(), (payment) => {
    const due = format(shares.get(payment.id) ?? ZERO);
    return [
      ...differing('fee_deferred', payment, due, format(handedOver(payment))),
      ...validateWaiting(payment, tables.subscriptions.get(payment.subscription_id)),
    ];
  });
  return [...ofTransactions, ...ofPayments, ...(yield* validateCustomers(tables))];
}

/**
 * A customer's revenue is its collected fees, minus the shares that credit still carries or gave up to debt, plus the
 * revenue of debt and of drawn or expired credit without a share.
 */
function* validateCustomers(tables: RecordTables): TimeSliced<Violation[]> {
  const sums = new Map<string, Decimal>();
  const book = (customer: string, amount: Decimal) =>
    sums.set(customer, add(sums.get(customer) ?? ZERO, amount));
  for (const { customer_id, worth, deferred } of tables.fee_payments.values()) {
    yield;
    book(customer_id, subtract(decimal(worth), sum(deferred.map((each) => decimal(each.amount)))));
  }
  for (const grant of tables.grants.values()) {
    yield;
    if (grant.worth?.kind !== 'fee_share') continue;
    const givenUp = subtract(decimal(grant.worth.amount), worthOf(grant, givenOf(grant)));
    const carried = worthOf(grant, decimal(grant.remaining));
    book(grant.customer_id, negate(add(givenUp, carried)));
  }
  for (const { customer_id, postings } of tables.transactions.values()) {
    yield;
    for (const { grant_id, revenue } of postings)
      if (revenue && tables.grants.get(grant_id ?? '')?.worth?.kind !== 'fee_share')
        book(customer_id, decimal(revenue));
  }
  return yield* findInEach(tables.customers.values(), ({ id }) => {
    const counted = tables.totals.get(id)?.revenue ?? '0';
    const due = format(sums.get(id) ?? ZERO);
    return differing('revenue_complete', { id, customer_id: id }, due, counted);
  });
}

/** The part of each collected fee that its grants carry, by fee. */
function* sharesGiven(grants: Iterable<GrantRow>): TimeSliced<Map<string, Decimal>> {
  const shares = new Map<string, Decimal>();
  for (const { worth } of grants) {
    yield;
    if (worth?.fee_payment_id !== undefined)
      shares.set(
        worth.fee_payment_id,
        add(shares.get(worth.fee_payment_id) ?? ZERO, decimal(worth.amount)),
      );
  }
  return shares;
}

/** Whether each share that waits for credit counts at last: there must be due work of its subscription by then. */
function validateWaiting(
  payment: FeePaymentRow,
  subscription: SubscriptionRow | undefined,
): Violation[] {
  const next = earliest([subscription?.refreshes_at, subscription?.begins_at]);
  return payment.deferred.flatMap(({ due_at }) =>
    next !== undefined && next <= due_at
      ? []
      : differing('fee_deferred', payment, `due work by ${due_at}`, next ?? 'none'),
  );
}

/** The part of a collected fee that grants carry: what neither counted as revenue nor waits. @assumes A-903 */
function handedOver({ worth, deferred, ...payment }: FeePaymentRow): Decimal {
  const waiting = sum(deferred.map(({ amount }) => decimal(amount)));
  return subtract(decimal(worth), add(waiting, countedOf(payment)));
}

/** The part of a collected fee that counted as revenue, without the shares of credit. */
const countedOf = ({ revenue, released }: Pick<FeePaymentRow, 'revenue' | 'released'>) =>
  sum([revenue, ...released.map(({ amount }) => amount)].map(decimal));

/** Whether debt that usage or a charge made counts in full, at the rate that it names, and other debt nothing. */
function validateDebt({ transaction_id: id, customer_id, postings }: TransactionRow): Violation[] {
  return postings
    .filter(({ from, grant_id, revenue }) => from === 'wallet' && !grant_id && revenue)
    .flatMap(({ to, amount, revenue, valuation }) => {
      const value = valuation ? costOf(decimal(amount), valuation) : decimal(amount);
      const due = to === 'revenue' ? format(round(value, CURRENCY_PLACES)) : '0';
      return violationsOf(due, revenue, { id, customer_id });
    });
}

/** Whether a posting counts what it takes from a grant that had `before` left. @assumes */
function validateDraw(
  { id, customer_id, ...grant }: GrantRow,
  before: Decimal,
  { amount, to, revenue }: Posting,
): Violation[] {
  const due = revenueOfDraw(grant, before, subtract(before, decimal(amount)), to);
  return violationsOf(format(due), revenue, { id, customer_id });
}

/** What a grant had left when it was given. */
const givenOf = ({ amount, repaid }: GrantRow): Decimal =>
  subtract(decimal(amount), decimal(repaid));

function violationsOf(
  due: string,
  counted: string | undefined,
  place: { readonly id: string; readonly customer_id: string },
): Violation[] {
  return differing('draw_valued', place, due, counted ?? '0', counted ?? 'nothing');
}
