import {
  CURRENCY_PLACES,
  type Decimal,
  decimal,
  divide,
  format,
  isZero,
  subtract,
  sum,
  ZERO,
} from '../../domain/decimal.ts';
import { creditEnd, placeAmong } from '../../domain/entitlements.ts';
import { omitNullish } from '../../domain/fields.ts';
import { dayOf, earliest, type Instant, LAST_INSTANT } from '../../domain/instant.ts';
import { rowsOf } from '../../store/query.ts';
import type {
  Deferral,
  EntitlementRecord,
  FeePaymentRow,
  GrantWorth,
  SubscriptionRow,
  VersionRow,
} from '../../store/records.ts';
import { versionKey } from '../../store/schema.ts';
import type { Context } from '../context.ts';
import { recordRevenue } from '../revenue/revenue.ts';

/**
 * Shares of collected fixed fees that wait for future credit. A share goes to its grant. It counts as revenue if the
 * grant is not made.
 */

/** An entitlement, with its position among those with the same name and asset. */
interface PlacedEntitlement {
  readonly entitlement: EntitlementRecord;
  readonly place: number;
}

/** Takes the share of credit that is granted now; undefined if no fee deferred one. @assumes A-903 */
export function takeShare(
  context: Context,
  subscription: SubscriptionRow,
  product_id: string,
  { entitlement: { name, asset }, place }: PlacedEntitlement,
): GrantWorth | undefined {
  for (const payment of deferring(context, subscription))
    for (const [at, deferral] of payment.deferred.entries()) {
      const promised = entitlementsOf(context, deferral);
      const isOf =
        deferral.product_id === product_id &&
        promised[deferral.index]?.name === name &&
        promised[deferral.index]?.asset === asset &&
        placeAmong(promised, deferral.index) === place;
      if (!isOf || deferral.due_at > context.now) continue;
      const amount = shareOf(deferral);
      const rest = withoutNext(context, subscription, deferral);
      context.tables.fee_payments.put({
        ...payment,
        deferred: payment.deferred.toSpliced(at, 1, ...rest),
      });
      return { kind: 'fee_share', amount: format(amount), fee_payment_id: payment.id };
    }
  return undefined;
}

/** Counts the shares of credit that is due but was not granted as revenue. @assumes A-903 */
export function releaseMissed(context: Context, subscription: SubscriptionRow): void {
  for (const payment of deferring(context, subscription)) {
    const isMissed = ({ due_at }: Deferral) => due_at <= context.now;
    const missed = payment.deferred.filter(isMissed);
    const deferred = payment.deferred.flatMap((deferral) =>
      isMissed(deferral) ? withoutNext(context, subscription, deferral) : [deferral],
    );
    release(context, payment, sum(missed.map(shareOf)), deferred);
  }
}

/**
 * Counts the shares of credit that is due but not granted while a subscription awaits a payment, and stores when the
 * next is due.
 *
 * @assumes
 */
export function missCredit(
  context: Context,
  { refreshes_at: _passed, ...subscription }: SubscriptionRow,
): SubscriptionRow {
  releaseMissed(context, subscription);
  const refreshes_at = nextShareDue(context, subscription);
  return context.tables.subscriptions.put({ ...subscription, ...omitNullish({ refreshes_at }) });
}

/** Counts all shares of a subscription as revenue, since their credit will not be granted. @assumes A-903 */
export function releaseAll(context: Context, subscription: SubscriptionRow): void {
  for (const payment of deferring(context, subscription))
    release(context, payment, sum(payment.deferred.map(({ amount }) => decimal(amount))), []);
}

/** When the next credit with a share is due; undefined if there is none. */
export function nextShareDue(context: Context, subscription: SubscriptionRow): Instant | undefined {
  const deferred = deferring(context, subscription).flatMap((payment) => payment.deferred);
  return earliest(deferred.map(({ due_at }) => due_at));
}

const deferring = ({ tables }: Context, { id }: SubscriptionRow) =>
  rowsOf(tables.fee_payments, { subscription_id: id }).filter(
    ({ deferred }) => deferred.length > 0,
  );

const shareOf = ({ amount, grants }: Deferral): Decimal =>
  divide(decimal(amount), decimal(grants), CURRENCY_PLACES);

/** The deferral after its next grant; empty after the last. */
function withoutNext(
  context: Context,
  { anchor = context.now }: SubscriptionRow,
  deferral: Deferral,
): Deferral[] {
  if (deferral.grants === 1) return [];
  const promised = entitlementsOf(context, deferral)[deferral.index] as EntitlementRecord;
  const due_at = creditEnd(promised, anchor, deferral.due_at);
  const amount = format(subtract(decimal(deferral.amount), shareOf(deferral)));
  return [{ ...deferral, amount, grants: deferral.grants - 1, due_at: due_at ?? LAST_INSTANT }];
}

function release(
  context: Context,
  payment: FeePaymentRow,
  amount: Decimal,
  deferred: readonly Deferral[],
): void {
  if (isZero(amount) && deferred.length === payment.deferred.length) return;
  const { tables, now } = context;
  const released = [...payment.released, { at: now, amount: format(amount) }];
  tables.fee_payments.put({ ...payment, deferred, released });
  recordRevenue(context, payment.customer_id, dayOf(now), amount, ZERO);
}

/** The entitlements of the version for which a fee was deferred. */
const entitlementsOf = ({ tables }: Context, { product_id, version }: Deferral) =>
  (tables.versions.get(versionKey(product_id, version)) as VersionRow).entitlements;
