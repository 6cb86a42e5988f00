import type { Instant } from '../domain/instant.ts';
import { expireGrant } from '../resources/wallets/ledger.ts';
import type { GrantRow } from '../state/records.ts';
import { DUE } from '../state/schema.ts';
import { type JobDefinition, job, RANKS } from './job.ts';

/** What is left of a grant leaves the balance at its end. A grant that is used up has nothing to expire. @assumes A-706 */
const expiry: JobDefinition<GrantRow> = {
  kind: 'grant_expiry',
  waiting: ({ tables }) => tables.grants.sorted('expiries', DUE),
  dueAt: ({ expires_at }) => expires_at as Instant,
  subject: ({ owner, customer_id, id, asset }) => ({
    owner,
    customer_id,
    grant_id: id,
    asset,
  }),
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
