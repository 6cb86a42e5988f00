import { asking, declared, each, forgetting, type Mutant, onRefusal } from './mutant.ts';

const YEAR_MS = 365 * 86_400_000;

export const timeMutants: readonly Mutant[] = [
  declared('The end of credit is forgotten', ['WAL-31'], {
    adjustWallet: forgetting('expires_at'),
  }),
  declared('Credit ends a year late', ['WAL-14'], {
    adjustWallet: asking((call) => {
      const { expires_at } = call.body;
      if (expires_at) call.body.expires_at = later(expires_at);
    }),
  }),
  declared('Credit that ends takes more than its rest', ['WAL-31'], {
    getWallet: each('accounts', ({ available }, { path }, { tables, now }) => {
      const ended = [...tables.grants.values()].filter(
        ({ customer_id, expires_at }) =>
          customer_id === path.customerId && expires_at !== null && expires_at <= now,
      );
      return { available: available - ended.length };
    }),
  }),
  declared('starts_at is forgotten', ['SUB-27'], {
    createSubscription: forgetting('starts_at'),
  }),
  declared('A later start comes a year late', ['SUB-27'], {
    createSubscription: asking((call) => {
      const { starts_at } = call.body;
      if (starts_at) call.body.starts_at = later(starts_at);
    }),
  }),
  declared('A given renews_at is forgotten', ['SUB-28', 'SUB-82'], {
    createSubscription: forgetting('renews_at'),
  }),
  declared('renews_at stays in the past', ['SUB-28'], {
    getCustomer: each(
      'subscriptions',
      ({ renews_at, started_at }) => renews_at && { renews_at: started_at },
    ),
  }),
  declared('Nothing is topped up by itself', ['TOP-15'], {
    chargeWallet: (_call, { tables }, run) => {
      for (const { id } of [...tables.auto_top_ups.values()]) tables.auto_top_ups.remove(id);
      return run();
    },
  }),
  declared('It is topped up at the threshold already', ['TOP-15'], {
    chargeWallet: (call, { tables }, run) => {
      for (const rule of [...tables.auto_top_ups.values()])
        tables.auto_top_ups.put({ ...rule, threshold: '5.01' as typeof rule.threshold });
      return run(call);
    },
  }),
  declared('A disabled destination is sent to', ['WHK-24'], {
    updateWebhook: forgetting('enabled'),
  }),
  declared('Any text is a cursor', ['WHK-23'], {
    listWebhookEvents: onRefusal((_error, call, _context, run) => {
      const { next: _next, prev: _prev, ...query } = call.query;
      return run({ ...call, query });
    }),
  }),
];

const later = (text: string): string => new Date(Date.parse(text) + YEAR_MS).toISOString();
