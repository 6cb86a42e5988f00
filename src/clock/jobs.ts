import { ratesOf } from '../resources/assets/assets.ts';
import { runAutoTopUp } from '../resources/payments/auto-top-ups.ts';
import { expireTopUp } from '../resources/payments/payables.ts';
import { completePayment } from '../resources/payments/payments.ts';
import { beginSubscription } from '../resources/subscriptions/activation.ts';
import { missCredit } from '../resources/subscriptions/deferred-shares.ts';
import { grantEntitlements } from '../resources/subscriptions/entitlements.ts';
import {
  awaitPayment,
  outstandingFee,
  renewSubscription,
} from '../resources/subscriptions/subscription-payment.ts';
import { retryWithRate } from '../resources/wallet-accounts.ts';
import { beginCredit, expireGrant } from '../resources/wallets/ledger.ts';
import type { GrantRow, TopUpRow } from '../store/records.ts';
import { type Job, type JobDefinition, job, RANKS, subscriptionSubject } from './job.ts';

/**
 * A scheduled exchange rate begins or ends. Rates are looked up by time, so nothing else changes, except that
 * automatic top-ups become possible.
 *
 * @assumes A-403, A-1106
 */
const changeRates = job({
  kind: 'rate_change',
  table: ({ assets }) => assets,
  subject: ({ owner, code }) => ({ owner, asset: code }),
  run(context, { rates_change_at: _come, ...asset }) {
    const { tables, now } = context;
    retryWithRate(context, tables.assets.put({ ...asset, ...ratesOf(asset.schedules, now) }));
    return {};
  },
});

/**
 * The rest of a grant leaves the balance when the grant expires. A used-up grant has nothing to expire.
 * @assumes A-706
 */
const expiry: JobDefinition<GrantRow> = {
  kind: 'grant_expiry',
  table: ({ grants }) => grants,
  subject: ({ owner, customer_id, id, asset }) => ({ owner, customer_id, grant_id: id, asset }),
  run(context, grant) {
    expireGrant(context, grant);
    return {};
  },
};

const expireGrants = job(expiry);

/** Credit that rolls over expires after a refresh of the same instant, which would extend it. @assumes A-1509 */
const expireRolledCredit = job({
  ...expiry,
  rank: RANKS.refresh + 0.5,
  waitsFor: 'rolled_expiry',
});

/** Credit of an adjustment with a future `effective_at` becomes available; it can expire later. @assumes A-704 */
const beginGrants = job({
  kind: 'grant_start',
  table: ({ grants }) => grants,
  subject: expiry.subject,
  run(context, grant) {
    beginCredit(context, grant);
    return {};
  },
});

/** The payment link of a subscription expires and a new one replaces it. @assumes A-604 */
const renewPaymentLinks = job({
  kind: 'payment_link_expiry',
  table: ({ subscriptions }) => subscriptions,
  subject: subscriptionSubject,
  run(context, subscription) {
    awaitPayment(context, subscription);
    return { outcome: 'replaced' };
  },
});

const topUpSubject = ({ owner, customer_id, id }: TopUpRow) => ({
  owner,
  customer_id,
  top_up_id: id,
});

/** The link of an unpaid top-up expires. @assumes A-1101 */
const expireTopUps = job({
  kind: 'top_up_link_expiry',
  table: ({ top_ups }) => top_ups,
  subject: topUpSubject,
  run: (context, topUp) => ({ outcome: expireTopUp(context, topUp).status }),
});

/** The link to a portal expires. @assumes A-1104 */
const expirePortalLinks = job({
  kind: 'portal_link_expiry',
  table: ({ links }) => links,
  subject: ({ owner, customer_id }) => ({ owner, customer_id }),
  run({ tables }, link) {
    tables.links.put({ ...link, expired: true });
    return { outcome: 'expired' };
  },
});

/** A bank transfer for a fixed fee arrives. @assumes A-1103 */
const settleFees = job({
  kind: 'payment_settlement',
  table: ({ subscriptions }) => subscriptions,
  subject: subscriptionSubject,
  run(context, subscription) {
    const fee = outstandingFee(context, subscription);
    const { status } = completePayment(context, subscription.id, { outcome: 'succeeded' });
    return { outcome: status, ...(fee && { fee }) };
  },
});

/** A bank transfer for a top-up arrives. @assumes A-1103 */
const settleTopUps = job({
  kind: 'top_up_settlement',
  table: ({ top_ups }) => top_ups,
  subject: topUpSubject,
  run: (context, { id }) => ({
    outcome: completePayment(context, id, { outcome: 'succeeded' }).status,
  }),
});

/** A balance fell below its threshold: the wallet account is topped up automatically. @assumes A-1104, A-1106 */
const topUpAutomatically = job({
  kind: 'auto_top_up',
  table: ({ auto_top_ups }) => auto_top_ups,
  subject: ({ owner, customer_id, account_id }) => ({
    owner,
    customer_id,
    asset: account_id.slice(account_id.indexOf(':') + 1),
  }),
  run: (context, rule) => ({ outcome: runAutoTopUp(context, rule) }),
});

/** A subscription with a future start begins. @assumes A-603 */
const startSubscriptions = job({
  kind: 'start',
  table: ({ subscriptions }) => subscriptions,
  subject: subscriptionSubject,
  run: (context, subscription) => ({ outcome: beginSubscription(context, subscription).status }),
});

/** A period of a running subscription ends and the next one is collected. @assumes A-605 */
const renewSubscriptions = job({
  kind: 'renewal',
  table: ({ subscriptions }) => subscriptions,
  subject: subscriptionSubject,
  run: (context, subscription) => renewSubscription(context, subscription),
});

/**
 * A running subscription receives new credit; unused credit of the last period has expired before. One that awaits a
 * payment receives none, and the share of a fee that waited for it counts.
 *
 * @assumes
 */
const refreshEntitlements = job({
  kind: 'refresh',
  table: ({ subscriptions }) => subscriptions,
  subject: subscriptionSubject,
  run(context, subscription) {
    if (subscription.status === 'active') grantEntitlements(context, subscription, 'refresh');
    else missCredit(context, subscription);
    return {};
  },
});

/**
 * All kinds of work that become due as time passes. Due work is found in the rows, runs at its own instant and is
 * one commit each. Jobs do not depend on sockets or timers.
 */
export const JOBS: readonly Job[] = [
  changeRates,
  expireGrants,
  expireRolledCredit,
  renewPaymentLinks,
  expireTopUps,
  expirePortalLinks,
  settleFees,
  settleTopUps,
  beginGrants,
  renewSubscriptions,
  refreshEntitlements,
  startSubscriptions,
  topUpAutomatically,
];
