import { CURRENCY_PLACES, decimal, format, multiply, round } from '../../domain/decimal.ts';
import {
  type CreditTime,
  creditEnd,
  isCreditDue,
  isRefreshed,
  nextRefresh,
  type Occasion,
  placeAmong,
  rollsOver,
} from '../../domain/entitlements.ts';
import { omitNullish } from '../../domain/fields.ts';
import { fixedFee } from '../../domain/fixed-fees.ts';
import { earliest, type Instant } from '../../domain/instant.ts';
import type {
  EntitlementRecord,
  GrantRow,
  GrantWorth,
  SubscriptionRow,
  VersionRow,
} from '../../store/records.ts';
import { entitlementKey, versionKey } from '../../store/schema.ts';
import type { Context } from '../context.ts';
import { openAccount } from '../wallet-accounts.ts';
import { credit, expireGrant } from '../wallets/ledger.ts';
import { nextShareDue, releaseMissed, takeShare } from './deferred-shares.ts';
import { versionsOf } from './subscribed-products.ts';

/** An entitlement of a subscribed version, with the latest credit granted for it. */
interface Promised {
  readonly version: VersionRow;
  readonly index: number;
  readonly entitlement: EntitlementRecord;
  /** Position among the entitlements with the same name and asset. */
  readonly place: number;
  readonly latest: GrantRow | undefined;
}

/**
 * Grants the credit that is due to a running subscription on an occasion, and stores when the next is due.
 *
 * @assumes
 */
export function grantEntitlements(
  context: Context,
  subscription: SubscriptionRow,
  occasion: Occasion,
): SubscriptionRow {
  for (const promised of promisedBy(context, subscription)) {
    const time = creditTime(context, subscription, promised);
    if (isCreditDue(promised.entitlement, promised.latest, occasion, time))
      grant(context, subscription, promised);
  }
  // An addition runs before the refreshes of the same instant.
  if (occasion !== 'addition') releaseMissed(context, subscription);
  return noteNextRefresh(context, subscription);
}

/** Stores when the next credit of a running subscription is due. @assumes */
export function noteNextRefresh(context: Context, subscription: SubscriptionRow): SubscriptionRow {
  const { refreshes_at: _passed, stopped: _over, ...rest } = subscription;
  const time = timeOf(context, subscription);
  const refreshes = promisedBy(context, subscription).map(({ entitlement, latest }) =>
    nextRefresh(entitlement, latest, time),
  );
  const refreshes_at = earliest([...refreshes, nextShareDue(context, subscription)]);
  return context.tables.subscriptions.put({ ...rest, ...omitNullish({ refreshes_at }) });
}

/** Expires credit that refreshes would replace; a new start grants it again. @assumes A-606 */
export function endRefreshedCredit(context: Context, subscription: SubscriptionRow): void {
  const { tables, now } = context;
  for (const { latest, version } of promisedBy(context, subscription)) {
    if (!latest?.entitlement || latest.expires_at === null || latest.expires_at <= now) continue;
    const origin = tables.versions.get(versionKey(version.product_id, latest.entitlement.version));
    const terms = origin?.entitlements[latest.entitlement.index];
    if (!terms || !isRefreshed(terms) || rollsOver(terms)) continue;
    expireGrant(context, latest);
    tables.grants.put({ ...(tables.grants.get(latest.id) as GrantRow), expires_at: now });
  }
}

/** The entitlements of a subscription's versions. */
export function promisedBy(
  { tables }: Pick<Context, 'tables'>,
  subscription: SubscriptionRow,
): Promised[] {
  return versionsOf({ tables }, subscription.products).flatMap((version) =>
    version.entitlements.map((entitlement, index) => {
      const { name, asset } = entitlement;
      const place = placeAmong(version.entitlements, index);
      const { product_id } = version;
      const id = entitlementKey(
        { subscription_id: subscription.id, product_id, name, place },
        asset,
      );
      const latest = tables.grants.list('entitlement', id).at(-1);
      return { version, index, entitlement, place, latest };
    }),
  );
}

/** What decides when credit for an entitlement is due, with the refresh that a stopped subscription missed. */
export function creditTime(
  context: Context,
  subscription: SubscriptionRow,
  { version, entitlement: { name, asset }, place, latest }: Promised,
): CreditTime {
  const time = timeOf(context, subscription);
  const { stopped } = subscription;
  if (!stopped) return time;
  const former = versionsOf(context, stopped.products).find(
    ({ product_id }) => product_id === version.product_id,
  );
  const terms = former?.entitlements.filter((each) => each.name === name && each.asset === asset);
  const held = terms?.[place];
  return { ...time, refresh: held && nextRefresh(held, latest, { ...time, now: stopped.after }) };
}

const timeOf = ({ now }: Context, { anchor = now }: SubscriptionRow) => ({ anchor, now });

function grant(context: Context, subscription: SubscriptionRow, promised: Promised): void {
  const { customer_id, owner } = subscription;
  const { version, index, entitlement, place } = promised;
  const account = openAccount(context, { id: customer_id, owner }, entitlement.asset);
  const { anchor, now } = timeOf(context, subscription);
  const expires_at = creditEnd(entitlement, anchor, now);
  if (rollsOver(entitlement)) moveEnds(context, promised, expires_at);
  credit(context, account, {
    source: 'entitlement',
    from: 'promotions',
    purpose: entitlement.purpose,
    amount: decimal(entitlement.amount),
    expires_at,
    priority: entitlement.priority,
    rolls_over: rollsOver(entitlement),
    worth: worthOfEntitlement(context, subscription, promised),
    description: entitlement.name,
    entitlement: {
      subscription_id: subscription.id,
      product_id: version.product_id,
      version: version.version,
      index,
      name: entitlement.name,
      ...(place > 0 && { place }),
    },
  });
}

/** Extends the rest of earlier credit to the expiry of the next. @assumes A-1509 */
function moveEnds(
  { tables, now }: Context,
  { latest }: Promised,
  expires_at: Instant | null,
): void {
  if (!latest?.entitlement) return;
  const given = tables.grants.list('entitlement', entitlementKey(latest.entitlement, latest.asset));
  for (const grant of given) {
    const isLeft = grant.rolls_over && grant.remaining !== '0';
    if (isLeft && grant.expires_at !== null && grant.expires_at >= now)
      tables.grants.put({ ...grant, expires_at });
  }
}

/**
 * The worth of an entitlement's credit: its share of a fee. If the version has no fixed fee, the revenue basis;
 * otherwise none.
 * @assumes
 */
function worthOfEntitlement(
  context: Context,
  subscription: SubscriptionRow,
  { version, entitlement, place }: Promised,
): GrantWorth | undefined {
  const { amount, purpose, accounting } = entitlement;
  const share =
    purpose === 'bundled'
      ? takeShare(context, subscription, version.product_id, { entitlement, place })
      : undefined;
  if (share || costsFee(version)) return share;
  const worth = multiply(decimal(amount), decimal(accounting.revenue_basis));
  return { kind: 'revenue_basis', amount: format(round(worth, CURRENCY_PLACES)) };
}

export const costsFee = ({ prices }: VersionRow): boolean => fixedFee(prices) !== undefined;
