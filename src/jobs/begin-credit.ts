import { beginCredit } from '../resources/wallets/pending-credit.ts';
import { DUE } from '../state/schema.ts';
import { job } from './job.ts';

/** Credit of an adjustment whose `effective_at` lay ahead becomes available; it expires in turn. @assumes A-704 */
export const beginGrants = job({
  kind: 'grant_start',
  waiting: ({ tables }) => tables.grants.sorted('beginnings', DUE),
  dueAt: ({ effective_at }) => effective_at,
  subject: ({ owner, customer_id, id, asset }) => ({ owner, customer_id, grant_id: id, asset }),
  run(context, grant) {
    beginCredit(context, grant);
    return {};
  },
  atMost: ({ tables }) => 2 * tables.grants.sorted('beginnings', DUE).length,
});
