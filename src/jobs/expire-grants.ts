import type { Instant } from '../domain/instant.ts';
import { expireGrant } from '../resources/wallets/ledger.ts';
import { DUE } from '../state/schema.ts';
import { job } from './job.ts';

/** What is left of a grant leaves the balance at its end. A grant that is used up has nothing to expire. @assumes A-706 */
export const expireGrants = job({
  kind: 'grant_expiry',
  waiting: ({ tables }) => tables.grants.list('expiries', DUE),
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
});
