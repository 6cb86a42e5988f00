import type { Context } from 'billing-emulator/internals';
import { credit, decimal, openAccount, Refusal, RuleViolation } from 'billing-emulator/internals';
import {
  asking,
  each,
  forgetting,
  ignoring,
  type Loose,
  type Mutant,
  mutant,
  showing,
} from './mutant.ts';

/** Runs a handler, then changes whom the webhook events it filed are matched with. */
const rematching =
  (change: (matched: readonly string[], all: Loose[]) => readonly string[]) =>
  (_call: Loose, { tables }: Context, run: () => Loose): Loose => {
    const before = new Set([...tables.webhook_events.values()].map(({ id }) => id));
    const reply = run();
    for (const row of [...tables.webhook_events.values()]) {
      if (before.has(row.id)) continue;
      const all = [...tables.webhooks.values()];
      const matched = change(row.matched_destination_ids, all);
      tables.webhook_events.put({ ...row, matched_destination_ids: matched });
    }
    return reply;
  };

export const hostedMutants: readonly Mutant[] = [
  mutant('top-up-succeeded-at-once', 'A top-up has succeeded when it is started', ['TOP-01'], {
    createTopUp: showing(() => ({ status: 'succeeded' })),
  }),
  mutant('top-up-credited-at-once', 'A top-up is credited when it is started', ['TOP-04'], {
    createTopUp: (call, context, run) => {
      const reply = run();
      const customer = context.tables.customers.get(call.body.customer_id);
      if (!customer) return reply;
      credit(context, openAccount(context, customer, call.body.currency), {
        from: 'external',
        purpose: 'paid',
        source: 'top_up',
        amount: decimal(call.body.amount),
      });
      return reply;
    },
  }),
  mutant('top-up-link-expired', 'A top-up link is born expired', ['TOP-01'], {
    createTopUp: showing((body) => ({ expires_at: body.created_at })),
  }),
  mutant('top-up-amount-in-cents', 'A top-up shows cents', ['TOP-03'], {
    getTopUp: showing((body) => ({ amount: body.amount * 100 })),
  }),
  mutant('top-up-destination-lost', 'The destination of a top-up is lost', ['TOP-09'], {
    createTopUp: forgetting('destination'),
  }),
  mutant('portal-link-expired', 'A portal link is born expired', ['POR-01'], {
    createPortalSession: showing(() => ({ expires_at: '2000-01-01T00:00:00.000Z' })),
  }),
  mutant('portal-link-relative', 'A portal link is relative', ['POR-01'], {
    createPortalSession: showing((body) => ({
      redirect_url: new URL(body.redirect_url).pathname,
    })),
  }),
  mutant('secret-listed', 'Secrets are listed', ['WHK-02'], {
    listWebhooks: each('items', (item, _, { tables }) => ({
      secret: tables.webhooks.get(item.id)?.secret,
    })),
  }),
  mutant('secret-differs', 'A destination shows another secret', ['WHK-02'], {
    getWebhook: showing((body) => ({ secret: `${body.secret}x` })),
  }),
  mutant('webhook-list-pages', 'Destinations are paged', ['WHK-03'], {
    listWebhooks: showing(() => ({ limit: 100, offset: 0 })),
  }),
  mutant('enabled-filter-ignored', 'The enabled filter is ignored', ['WHK-04'], {
    listWebhooks: each(
      'items',
      (_, { query }) => query.enabled !== undefined && { enabled: !query.enabled },
    ),
  }),
  mutant('webhook-defaults-differ', 'topics default to none', ['WHK-01'], {
    getWebhook: showing((body) => {
      if (body.topics[0] === '*') body.topics = ['subscription.activated'];
    }),
  }),
  mutant('webhook-update-ignored', 'An update of a destination changes nothing', ['WHK-05'], {
    updateWebhook: asking(() => ({ body: {} })),
  }),
  mutant('webhook-kept', 'Deleting a destination keeps it', ['WHK-06'], {
    deleteWebhook: () => ({ status: 204 }),
  }),
  mutant('test-to-nobody', 'A test to an unknown destination is accepted', ['WHK-11'], {
    testWebhook: (_call, _context, run) => {
      try {
        return run();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { status: 202, body: { id: 'evt_00000000000000000000000000' } };
      }
    },
  }),
  mutant('test-not-logged', 'A test is answered with the id of nothing', ['WHK-08'], {
    testWebhook: showing(() => ({ id: 'evt_00000000000000000000000000' })),
  }),
  mutant('connect-ignored', 'connect is ignored', ['WHK-10'], {
    createSubscription: rematching((_, all) => all.map(({ id }) => id)),
  }),
  mutant('disabled-matched', 'A disabled destination is matched', ['WHK-24'], {
    createSubscription: rematching((matched, all) => [
      ...new Set([
        ...matched,
        ...all.filter(({ connect, enabled }) => !connect && !enabled).map(({ id }) => id),
      ]),
    ]),
  }),
  mutant('wildcard-ignored', 'A topic of * matches nothing', ['WHK-09'], {
    createSubscription: rematching((matched, all) =>
      matched.filter((id) => !all.find((row) => row.id === id)?.topics.includes('*')),
    ),
  }),
  mutant('topics-ignored', 'Topics are ignored', ['WHK-09'], {
    createSubscription: rematching((_, all) =>
      all.filter(({ connect, enabled }) => !connect && enabled).map(({ id }) => id),
    ),
  }),
  mutant('cursor-repeats', 'A cursor repeats the first page', ['WHK-13'], {
    listWebhookEvents: ignoring('next'),
  }),
  mutant('cursor-skips', 'A cursor skips an item', ['WHK-13'], {
    listWebhookEvents: (call, _, run) => {
      const reply = run();
      const { next } = reply.body.pagination;
      return call.query.next && next ? run({ ...call, query: { ...call.query, next } }) : reply;
    },
  }),
  mutant('log-filter-ignored', 'destination_id is ignored', ['WHK-12'], {
    listWebhookEvents: ignoring('destination_id'),
  }),
  mutant('log-status-ignored', 'The status filter is ignored', ['WHK-12'], {
    listWebhookEvents: ignoring('status'),
  }),
  mutant('log-limit-fifty', 'The log answers fifty items', ['WHK-22'], {
    listWebhookEvents: asking((call) => {
      call.query.limit ??= 50;
    }),
  }),
  mutant('usage-is-logged', 'Usage events fire webhooks', ['WHK-28'], {
    submitEvents: (_call, { tables, world, owner }, run) => {
      const reply = run();
      const last = tables.webhook_events.list('owner', owner).at(-1);
      const seq = world.nextSeq();
      if (last) tables.webhook_events.put({ ...last, id: `${last.id}-${seq}`, seq });
      return reply;
    },
  }),
  mutant('email-required', 'An email is required', ['CUS-01'], {
    createCustomer: (call, _, run) => {
      if (call.body.email === undefined)
        throw new RuleViolation([{ field: 'email', message: 'This field is required.' }]);
      return run();
    },
  }),
];
