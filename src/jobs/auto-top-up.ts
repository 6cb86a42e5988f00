import type { Instant } from '../domain/instant.ts';
import { runAutoTopUp } from '../resources/payments/auto-top-ups.ts';
import { DUE } from '../state/schema.ts';
import { job } from './job.ts';

/** A balance fell below its threshold: the wallet account is topped up by itself. @assumes A-1104, A-1106 */
export const topUpAutomatically = job({
  kind: 'auto_top_up',
  waiting: ({ tables }) => tables.auto_top_ups.list('due', DUE),
  dueAt: ({ due_at }) => due_at as Instant,
  subject: ({ owner, customer_id, account_id }) => ({
    owner,
    customer_id,
    asset: account_id.slice(account_id.indexOf(':') + 1),
  }),
  run: (context, rule) => ({ outcome: runAutoTopUp(context, rule) }),
});
