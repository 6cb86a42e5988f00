import { CURRENCY_PLACES, decimal, format, isZero, multiply, round } from '../../domain/decimal.ts';
import { creditEnd, isRefreshed, standingCredit } from '../../domain/entitlements.ts';
import { fixedFee } from '../../domain/fixed-fees.ts';
import type { Instant } from '../../domain/instant.ts';
import { isPaymentNeeded } from '../../domain/subscriptions.ts';
import type {
  EntitlementRecord,
  GrantRow,
  GrantWorth,
  SubscriptionRow,
  VersionRow,
} from '../../state/records.ts';
import { entitlementKey } from '../../state/schema.ts';
import type { Context } from '../context.ts';
import { versionKey } from '../products/product-lookup.ts';
import { credit, expireGrant, openAccount } from '../wallets/ledger.ts';
import { versionsOf } from './subscribed-products.ts';

/** An entitlement and its place in a version. */
interface Promised {
  readonly version: VersionRow;
  readonly index: number;
  readonly entitlement: EntitlementRecord;
}

/**
 * Gives the credit that the entitlements of a running subscription have due, and notes when the
 * next falls due. What still stands is not given again, so that it may be called at any moment.
 *
 * @assumes
 */
export function grantEntitlements(
  context: Context,
  subscription: SubscriptionRow,
): SubscriptionRow {
  for (const promised of promisedBy(context, subscription))
    if (!standing(context, subscription, promised)) grant(context, subscription, promised);
  return noteNextRefresh(context, subscription);
}

/**
 * Notes when the next credit of a running subscription falls due. What a former version gave is
 * replaced when it ends.
 *
 * @assumes
 */
export function noteNextRefresh(context: Context, subscription: SubscriptionRow): SubscriptionRow {
  const { refreshes_at: _passed, ...rest } = subscription;
  const [next] = promisedBy(context, subscription)
    .filter(({ entitlement }) => isRefreshed(entitlement))
    .map((promised) => {
      const credit = standing(context, subscription, promised);
      return credit ? credit.expires_at : endOf(context, subscription, promised);
    })
    .filter((end) => end !== null)
    .sort();
  return context.tables.subscriptions.put({ ...rest, ...(next && { refreshes_at: next }) });
}

/**
 * Ends the credit of a subscription that refreshes would replace, as a new run gives it anew.
 *
 * @assumes A-606
 */
export function endRefreshedCredit(context: Context, subscription: SubscriptionRow): void {
  const { tables, now } = context;
  for (const { id } of subscription.products) {
    for (const credit of latestCredit(context, subscription, id)) {
      if (!credit.entitlement || credit.expires_at === null || credit.expires_at <= now) continue;
      const { product_id, version, index } = credit.entitlement;
      const origin = tables.versions.get(versionKey(product_id, version))?.entitlements[index];
      if (!origin || !isRefreshed(origin)) continue;
      expireGrant(context, credit);
      tables.grants.put({ ...(tables.grants.get(credit.id) as GrantRow), expires_at: now });
    }
  }
}

function promisedBy(context: Context, { products }: SubscriptionRow): Promised[] {
  return versionsOf(context, products).flatMap((version) =>
    version.entitlements.map((entitlement, index) => ({ version, index, entitlement })),
  );
}

function standing(
  context: Context,
  subscription: SubscriptionRow,
  { version, index }: Promised,
): GrantRow | undefined {
  const given = latestCredit(context, subscription, version.product_id);
  return standingCredit(version.entitlements, index, version.version, given, context.now);
}

/**
 * The latest credit that a subscription was given for each entitlement of a product, in any version and
 * oldest first. What came before it has ended, so that years of refreshes cost no more than one.
 */
function latestCredit(
  { tables }: Context,
  { id: subscription_id }: SubscriptionRow,
  product_id: string,
): GrantRow[] {
  return tables.versions
    .list('product', product_id)
    .flatMap(({ version, entitlements }) =>
      entitlements.map(({ name }, index) =>
        tables.grants
          .list(
            'entitlement',
            entitlementKey({ subscription_id, product_id, version, index, name }),
          )
          .at(-1),
      ),
    )
    .filter((credit) => credit !== undefined)
    .sort((left, right) => left.seq - right.seq);
}

function endOf(
  { now }: Context,
  subscription: SubscriptionRow,
  { entitlement }: Promised,
): Instant | null {
  return creditEnd(entitlement, subscription.anchor ?? now, now);
}

function grant(context: Context, subscription: SubscriptionRow, promised: Promised): void {
  const { customer_id, owner } = subscription;
  const { version, index, entitlement } = promised;
  const account = openAccount(context, { id: customer_id, owner }, entitlement.asset);
  credit(context, account, {
    source: 'entitlement',
    from: 'promotions',
    purpose: entitlement.purpose,
    amount: decimal(entitlement.amount),
    expires_at: endOf(context, subscription, promised),
    worth: worthOfEntitlement(promised),
    description: entitlement.name,
    entitlement: {
      subscription_id: subscription.id,
      product_id: version.product_id,
      version: version.version,
      index,
      name: entitlement.name,
    },
  });
}

/** Credit of a version without a fixed fee is worth its basis, else nothing. @assumes A-902 */
function worthOfEntitlement({ version, entitlement }: Promised): GrantWorth | undefined {
  const { amount, accounting } = entitlement;
  const worth = multiply(decimal(amount), decimal(accounting.revenue_basis));
  if (isZero(worth) || isPaymentNeeded(fixedFee(version.prices))) return undefined;
  return { kind: 'revenue_basis', amount: format(round(worth, CURRENCY_PLACES)) };
}
