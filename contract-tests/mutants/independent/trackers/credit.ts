import { randomUUID } from 'node:crypto';
import { type Context, key } from 'billing-emulator/internals';
import type { Advice, Loose, Mutant } from '../../mutant.ts';
import { ask, keeping, overlay, through } from '../deep.ts';
import { during, instantOf, lifecycleOf, thenAlso } from '../due-bug.ts';
import { against } from '../production/window.ts';
import { storingEver } from './lasting.ts';

const GRACE = 6 * 3_600_000;

const versionsHeld = ({ tables }: Context, id: string): Loose[] =>
  (tables.subscriptions.get(id)?.products ?? []).map((held) =>
    tables.versions.get(key(held.id, String(held.version))),
  );

const entitlementsHeld = (context: Context, id: string): Loose[] =>
  versionsHeld(context, id).flatMap(({ entitlements }) => entitlements);

const nameOf = ({ name, asset }: Loose): string => key(name, asset);

/** Ends credit of other entitlements that rolled over, in the accounts that were refreshed. */
const endingRolledCredit = thenAlso(({ id, customer_id }, context) => {
  const { tables, now } = context;
  const grants = [...tables.grants.values()].filter((each) => each.customer_id === customer_id);
  const isOf = ({ entitlement }: Loose) => entitlement?.subscription_id === id;
  const replaced = grants.filter(
    (each) =>
      isOf(each) &&
      each.created_at === now &&
      lifecycleOf(each, context)?.refresh?.strategy === 'expire_and_replace',
  );
  const accounts = new Set(replaced.map(({ account_id }) => account_id));
  for (const each of grants)
    if (each.rolls_over && each.remaining !== '0' && accounts.has(each.account_id) && !isOf(each))
      tables.grants.put({ ...each, expires_at: now });
});

/** Resumes a subscription without its entitlements; the next refresh is at the next renewal. */
const withoutFreshCredit: Advice = (call, context, run) => {
  const { tables } = context;
  const { subscriptionId } = call.path;
  const isResumed =
    call.body.status === 'active' &&
    tables.subscriptions.get(subscriptionId)?.status === 'inactive';
  const hasFee = versionsHeld(context, subscriptionId).some(({ prices }) =>
    prices.some(({ type }: Loose) => type === 'fixed'),
  );
  if (!isResumed || !hasFee) return run();
  const bare = overlay(context, 'versions', (table) => ({
    get(id: string) {
      const row = table.get(id);
      return row && { ...row, entitlements: [] };
    },
  }));
  const reply = run(call, bare);
  const row: Loose = tables.subscriptions.get(subscriptionId);
  if (
    row.renews_at &&
    entitlementsHeld(context, row.id).some(({ lifecycle }) => lifecycle?.refresh)
  )
    tables.subscriptions.put({ ...row, refreshes_at: row.renews_at });
  return reply;
};

/** Refreshes the credit of a subscription that renews each year only on the anniversary. */
const yearly = storingEver('subscriptions', (row) => {
  const { renewal, renews_at, refreshes_at, anchor } = row;
  const isYearly = (renewal?.span?.interval ?? renewal?.span) === 'year';
  const isAnniversary = refreshes_at?.slice(5) === anchor?.slice(5);
  if (!isYearly || !refreshes_at || isAnniversary || refreshes_at > renews_at) return row;
  return { ...row, refreshes_at: renews_at };
});

/** Subtracts what a new version promises less, as far as it is still there. */
const takingBack: Advice = ({ path }, context, run) => {
  const { tables } = context;
  const former = entitlementsHeld(context, path.subscriptionId);
  const reply = run();
  for (const promised of entitlementsHeld(context, path.subscriptionId)) {
    const earlier = former.find((each) => nameOf(each) === nameOf(promised));
    const grant = [...tables.grants.values()].findLast(
      ({ entitlement, asset }) =>
        entitlement?.subscription_id === path.subscriptionId &&
        nameOf({ ...entitlement, asset }) === nameOf(promised),
    );
    const less = Math.min(
      Number(earlier?.amount ?? 0) - Number(promised.amount),
      Number(grant?.remaining ?? 0),
    );
    if (less <= 0) continue;
    const { asset } = promised;
    const body = { transaction_id: randomUUID(), asset, amount: -less, reason: 'other' };
    ask('adjustWallet', { path, body }, context);
  }
  return reply;
};

/** Takes an entitlement that the former version lacked for one that was never granted. */
const grantingAgain = through('grants', (table, { path }, context) => {
  const held = new Set(entitlementsHeld(context, path.subscriptionId).map(nameOf));
  const known = new Set([...table.values()].map(({ id }: Loose) => id));
  return {
    list(index: string, at: string) {
      const rows: Loose[] = table.list(index, at);
      const [first] = rows;
      const isBack =
        index === 'entitlement' && first && !held.has(nameOf({ ...first.entitlement, ...first }));
      return isBack ? rows.filter(({ id }) => !known.has(id)) : rows;
    },
  };
});

/** The credit of entitlements and top-ups. */
export const reportedCreditBugs: readonly Mutant[] = [
  against(
    'A-1509: credit that rolls over stays as long as it is refreshed',
    'ends credit of another entitlement that rolled over when it refreshes one in the same account',
    {},
    {
      id: 'refresh: ends credit of another entitlement that rolled over',
      due: { refresh: during(endingRolledCredit) },
    },
  ),
  against(
    'A-606, A-610: reactivation with a fixed fee opens a new period and replaces refreshing credit',
    'collects the fee of a resumed subscription and gives its credit only at the next renewal',
    { updateSubscription: withoutFreshCredit },
  ),
  against(
    'A-511: lifecycle.duration; a refreshed grant expires at the next refresh',
    'refreshes monthly credit of a yearly plan only when the plan renews',
    { createSubscription: yearly, createCustomer: yearly },
  ),
  against(
    'A-607: an entitlement that stays takes the new amount at its next refresh',
    'takes credit back at once when another version promises less',
    { updateSubscriptionProduct: takingBack },
  ),
  against(
    'A-607: if a version brings an entitlement back before its refresh, it keeps its schedule',
    'grants credit again when a subscription changes away from a version and back to it',
    { updateSubscriptionProduct: grantingAgain },
  ),
  against(
    'A-706: at expires_at the remainder of a grant leaves the balance',
    'leaves expired credit in the balance for six more hours',
    {},
    {
      id: 'grant_expiry: leaves expired credit in the balance for six more hours',
      due: { grant_expiry: ({ at }) => ({ at: instantOf(Date.parse(at) + GRACE) as Loose }) },
    },
  ),
  against(
    'A-704: the grant of a top-up expires after one year unless the request has credit_expires_at',
    'lets bought credit expire together with paid credit that the account still has',
    {
      createTopUp: keeping('top_ups', (row, _, { tables }) => {
        const account = key(row.customer_id, `${row.account_name}:${row.asset}`);
        const ends = tables.grants
          .list('open', account)
          .filter(({ purpose, expires_at }) => purpose === 'paid' && expires_at !== null)
          .map(({ expires_at }) => expires_at as string)
          .sort();
        return row.credit_expires_at || !ends[0] ? row : { ...row, credit_expires_at: ends[0] };
      }),
    },
  ),
];
