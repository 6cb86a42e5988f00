import { type Instant, toMillis } from '../domain/instant.ts';
import { runAutoTopUp } from '../resources/payments/auto-top-ups.ts';
import { DUE } from '../state/schema.ts';
import { job } from './job.ts';
import { lengthOf } from './subscription-spans.ts';

/** A balance fell below its threshold: the wallet account is topped up by itself. @assumes A-1104, A-1106 */
export const topUpAutomatically = job({
  kind: 'auto_top_up',
  waiting: ({ tables }) => tables.auto_top_ups.sorted('due', DUE),
  dueAt: ({ due_at }) => due_at as Instant,
  subject: ({ owner, customer_id, account_id }) => ({
    owner,
    customer_id,
    asset: account_id.slice(account_id.indexOf(':') + 1),
  }),
  // Each other item may lower a balance, or save a way to pay for all that wait for one, so that balances
  // are topped up; what that buys expires in turn.
  atMost({ tables, now }, { target, settings, before }) {
    if (tables.auto_top_ups.size === 0) return 0;
    const { top_up_credit_lifetime: lifetime } = settings;
    const span = toMillis(target) - toMillis(now);
    const turns = lifetime === 'none' ? 0 : Math.floor(span / lengthOf(lifetime));
    return before * (2 * (1 + turns) * tables.auto_top_ups.size - 1);
  },
  run: (context, rule) => ({ outcome: runAutoTopUp(context, rule) }),
});
