import type { Instant } from '../domain/instant.ts';
import { expireGrant } from '../resources/wallets/ledger.ts';
import { beginCredit } from '../resources/wallets/pending-credit.ts';
import type { GrantRow } from '../state/records.ts';
import { DUE } from '../state/schema.ts';
import { type JobDefinition, job, RANKS } from './job.ts';

/** What is left of a grant leaves the balance at its end. A grant that is used up has nothing to expire. @assumes A-706 */
const expiry: JobDefinition<GrantRow> = {
  kind: 'grant_expiry',
  waiting: ({ tables }) => tables.grants.sorted('expiries', DUE),
  dueAt: ({ expires_at }) => expires_at as Instant,
  subject: ({ owner, customer_id, id, asset }) => ({ owner, customer_id, grant_id: id, asset }),
  run(context, grant) {
    expireGrant(context, grant);
    return {};
  },
};

export const expireGrants = job(expiry);

/** Credit that rolls over ends only after the refresh of the same instant, which would move its end. @assumes A-1509 */
export const expireRolledCredit = job({
  ...expiry,
  rank: RANKS.refresh + 0.5,
  waiting: ({ tables }) => tables.grants.sorted('rolled_expiries', DUE),
});

/** Credit of an adjustment whose `effective_at` lay ahead becomes available; it expires in turn. @assumes A-704 */
export const beginGrants = job({
  kind: 'grant_start',
  waiting: ({ tables }) => tables.grants.sorted('beginnings', DUE),
  dueAt: ({ effective_at }) => effective_at,
  subject: expiry.subject,
  run(context, grant) {
    beginCredit(context, grant);
    return {};
  },
  atMost: ({ tables }) => 2 * tables.grants.sorted('beginnings', DUE).length,
});
