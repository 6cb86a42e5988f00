import { omitNullish } from '../../domain/fields.ts';
import { type FixedFee, fixedInterval } from '../../domain/fixed-fees.ts';
import type { Instant } from '../../domain/instant.ts';
import {
  beginningOf,
  catchUp,
  openRenewal,
  type RenewalSchedule,
  renewalAt,
} from '../../domain/subscriptions.ts';
import type { SubscriptionRow, VersionRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { openAccount } from '../wallet-accounts.ts';
import { emitWebhookEvent } from '../webhooks/webhook-events.ts';
import { releaseAll } from './deferred-shares.ts';
import { endRefreshedCredit, grantEntitlements } from './entitlements.ts';
import { collectFee, withPeriodFee } from './fee-collection.ts';
import { keepSubscription, pricesHeld, pricesOf, versionsOf } from './subscribed-products.ts';

/**
 * Activates a subscription and collects its fee, if one is given. After a failed renewal it keeps its anchor.
 * Without an anchor, its periods begin now, or at a start in the future.
 *
 * @assumes, A-1302
 */
export function activateSubscription(
  context: Context,
  subscription: SubscriptionRow,
  fee?: FixedFee,
): SubscriptionRow {
  const { now } = context;
  const { payment: _settled, begins_at: _awaited, renews_at: _asked, ...rest } = subscription;
  const begin = beginningOf(subscription.starts_at, now);
  const renewal = renewalOf(context, subscription, begin);
  const renews_at = renewal && renewalAt(renewal);
  if (subscription.anchor === undefined) endRefreshedCredit(context, subscription);
  const started_at = subscription.started_at ?? startOf(subscription, now);
  const activated: SubscriptionRow = {
    ...withPeriodFee(context, rest, fee),
    status: 'active',
    started_at,
    anchor: subscription.anchor ?? begin,
    ...omitNullish({ begins_at: begin > now ? begin : undefined, renewal, renews_at }),
  };
  const isFirst = subscription.started_at === undefined;
  const active = keepSubscription(context, activated, isFirst ? started_at : now);
  openAccounts(context, active, versionsOf(context, active.products));
  announce(context, active);
  // Credit that rolls over is granted again only with a new period.
  const occasion = subscription.anchor === undefined ? 'start' : 'resumption';
  if (fee) collectFee(context, active, fee, occasion);
  return begin > now ? active : grantEntitlements(context, active, occasion);
}

/**
 * Begins a subscription whose start is due. Without an earlier payment it becomes active; one that is paid in
 * advance gets its credit.
 *
 * @assumes A-603
 */
export function beginSubscription(
  context: Context,
  subscription: SubscriptionRow,
): SubscriptionRow {
  if (subscription.status !== 'active') return activateSubscription(context, subscription);
  const { begins_at: _come, ...begun } = subscription;
  return grantEntitlements(context, keepSubscription(context, begun), 'start');
}

/**
 * Deactivates a subscription. An open payment link ends. Granted credit stays until it expires. Fees deferred for
 * credit that will not be granted count as revenue now.
 *
 * @assumes
 */
export function deactivateSubscription(
  context: Context,
  subscription: SubscriptionRow,
): SubscriptionRow {
  releaseAll(context, subscription);
  const { stopped: earlier, products } = subscription;
  // One that is past due stopped before.
  const stopped = earlier ?? { after: context.now, products };
  const { payment: _link, begins_at, refreshes_at: _refresh, renews_at, ...rest } = subscription;
  const { started_at, anchor, renewal, ...ended } = rest;
  // A subscription that is paid in advance and ends before its start has never started.
  const started = begins_at === undefined && omitNullish({ started_at, anchor, renewal });
  // A requested first renewal stays until the subscription runs.
  const asked = anchor === undefined && renews_at !== undefined && { renews_at };
  return keepSubscription(context, {
    ...ended,
    ...started,
    ...asked,
    stopped,
    status: 'inactive',
  });
}

/** Creates the wallet accounts that the prices and entitlements of versions need. @assumes A-702 */
export function openAccounts(
  context: Context,
  { customer_id, owner }: SubscriptionRow,
  versions: readonly VersionRow[],
): void {
  const priced = pricesOf(versions).flatMap(({ pricing }) => pricing);
  const promised = versions.flatMap(({ entitlements }) => entitlements);
  for (const { asset } of [...priced, ...promised])
    openAccount(context, { id: customer_id, owner }, asset);
}

/** The first start: the requested one if there was never a fee; otherwise not before now. */
const startOf = ({ status, starts_at }: SubscriptionRow, now: Instant): Instant =>
  status === 'scheduled' ? (starts_at ?? now) : beginningOf(starts_at, now);

/** Continues a stopped schedule; opens one that is new or requested again. */
function renewalOf(
  context: Context,
  subscription: SubscriptionRow,
  begin: Instant,
): RenewalSchedule | undefined {
  const { status, renewal, renews_at } = subscription;
  const asked = status === 'action_required' && renewal ? undefined : renews_at;
  if (renewal && asked === undefined) return catchUp(renewal, context.now);
  return openRenewal(begin, fixedInterval(pricesHeld(context, subscription)), asked);
}

function announce(context: Context, { id, customer_id, owner }: SubscriptionRow): void {
  emitWebhookEvent(context, {
    topic: 'subscription.activated',
    owner,
    data: { customer_id, subscription_id: id, occurred_at: context.now },
  });
}
