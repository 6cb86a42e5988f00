import { expireGrant } from '../resources/wallets/ledger.ts';
import { beginCredit } from '../resources/wallets/pending-credit.ts';
import type { GrantRow } from '../store/records.ts';
import { type JobDefinition, job, RANKS } from './job.ts';

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

export const expireGrants = job(expiry);

/** Credit that rolls over expires after a refresh of the same instant, which would extend it. @assumes A-1509 */
export const expireRolledCredit = job({
  ...expiry,
  rank: RANKS.refresh + 0.5,
  waitsFor: 'rolled_expiry',
});

/** Credit of an adjustment with a future `effective_at` becomes available; it can expire later. @assumes A-704 */
export const beginGrants = job({
  kind: 'grant_start',
  table: ({ grants }) => grants,
  subject: expiry.subject,
  run(context, grant) {
    beginCredit(context, grant);
    return {};
  },
  atMost: (_world, { waiting }) => 2 * waiting,
});
