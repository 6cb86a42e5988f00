import type { Context } from 'billing-emulator/internals';
import { credit, decimal, openAccount, Refusal, RuleViolation } from 'billing-emulator/internals';
import {
  type Advice,
  after,
  asking,
  declared,
  each,
  forgetting,
  ignoring,
  type Loose,
  type Mutant,
  onRefusal,
  showing,
} from './mutant.ts';

/** Runs a handler, then updates each webhook event that it stored with the fields that `change` returns. */
const refiling =
  (change: (row: Loose, call: Loose, context: Context) => Loose): Advice =>
  (call, context, run) => {
    const { webhook_events } = context.tables;
    const before = new Set([...webhook_events.values()].map(({ id }) => id));
    const reply = run();
    for (const row of [...webhook_events.values()])
      if (!before.has(row.id)) webhook_events.put({ ...row, ...change(row, call, context) });
    return reply;
  };

/** Runs a handler, then changes the matched destinations of the webhook events that it stored. */
const rematching = (change: (matched: readonly string[], all: Loose[]) => readonly string[]) =>
  refiling((row, _, { tables }) => ({
    matched_destination_ids: change(row.matched_destination_ids, [...tables.webhooks.values()]),
  }));

const neverLive = refiling(({ body }) => ({
  body: body.replace('"live_mode":true', '"live_mode":false'),
}));

export const hostedMutants: readonly Mutant[] = [
  declared('A top-up has succeeded when it is started', ['TOP-01'], {
    createTopUp: showing(() => ({ status: 'succeeded' })),
  }),
  declared('A top-up is credited when it is started', ['TOP-04'], {
    createTopUp: after((call, context) => {
      const customer = context.tables.customers.get(call.body.customer_id);
      if (!customer) return;
      credit(context, openAccount(context, customer, call.body.currency), {
        from: 'external',
        purpose: 'paid',
        source: 'top_up',
        amount: decimal(call.body.amount),
      });
    }),
  }),
  declared('A top-up link is born expired', ['TOP-01'], {
    createTopUp: showing((body) => ({ expires_at: body.created_at })),
  }),
  declared('A top-up shows cents', ['TOP-01'], {
    getTopUp: showing((body) => ({ amount: body.amount * 100 })),
  }),
  declared('The destination of a top-up is lost', ['TOP-01'], {
    createTopUp: forgetting('destination'),
  }),
  declared('The metadata of a top-up is lost', ['TOP-37'], { createTopUp: forgetting('metadata') }),
  declared('A portal link is born expired', ['POR-01'], {
    createPortalSession: showing(() => ({ expires_at: '2000-01-01T00:00:00.000Z' })),
  }),
  declared('A portal link is relative', ['POR-01'], {
    createPortalSession: showing((body) => ({ redirect_url: new URL(body.redirect_url).pathname })),
  }),
  declared('Secrets are listed', ['WHK-01'], {
    listWebhooks: each('items', (item, _, { tables }) => ({
      secret: tables.webhooks.get(item.id)?.secret,
    })),
  }),
  declared('A destination shows another secret', ['WHK-01'], {
    getWebhook: showing((body) => ({ secret: `${body.secret}x` })),
  }),
  declared('Destinations are paged', ['WHK-03'], {
    listWebhooks: showing(() => ({ limit: 100, offset: 0 })),
  }),
  declared('The enabled filter is ignored', ['WHK-03'], {
    listWebhooks: each(
      'items',
      (_, { query }) => query.enabled !== undefined && { enabled: !query.enabled },
    ),
  }),
  declared('topics default to none', ['WHK-01'], {
    getWebhook: showing((body) => {
      if (body.topics[0] === '*') body.topics = ['subscription.activated'];
    }),
  }),
  declared('An update of a destination changes nothing', ['WHK-05'], {
    updateWebhook: asking(() => ({ body: {} })),
  }),
  declared('Deleting a destination keeps it', ['WHK-05'], {
    deleteWebhook: () => ({ status: 204 }),
  }),
  declared('A test to an unknown destination is accepted', ['WHK-11'], {
    testWebhook: onRefusal((error) => {
      if (!(error instanceof Refusal)) return undefined;
      return { status: 202, body: { id: 'evt_00000000000000000000000000' } };
    }),
  }),
  declared('A test is answered with the id of nothing', ['WHK-08'], {
    testWebhook: showing(() => ({ id: 'evt_00000000000000000000000000' })),
  }),
  declared('connect is ignored', ['WHK-10'], {
    createSubscription: rematching((_, all) => all.map(({ id }) => id)),
  }),
  declared('A disabled destination is matched', ['WHK-24'], {
    createSubscription: rematching((matched, all) => [
      ...new Set([
        ...matched,
        ...all.filter(({ connect, enabled }) => !connect && !enabled).map(({ id }) => id),
      ]),
    ]),
  }),
  declared('A topic of * matches nothing', ['WHK-09'], {
    createSubscription: rematching((matched, all) =>
      matched.filter((id) => !all.find((row) => row.id === id)?.topics.includes('*')),
    ),
  }),
  declared('Topics are ignored', ['WHK-09'], {
    createSubscription: rematching((_, all) =>
      all.filter(({ connect, enabled }) => !connect && enabled).map(({ id }) => id),
    ),
  }),
  declared('A cursor repeats the first page', ['WHK-42'], { listWebhookEvents: ignoring('next') }),
  declared('A cursor skips an item', ['WHK-42'], {
    listWebhookEvents: (call, _, run) => {
      const reply = run();
      const { next } = reply.body.pagination;
      return call.query.next && next ? run({ ...call, query: { ...call.query, next } }) : reply;
    },
  }),
  declared('destination_id is ignored', ['WHK-12'], {
    listWebhookEvents: ignoring('destination_id'),
  }),
  declared('The status filter of the log is ignored', ['WHK-12'], {
    listWebhookEvents: ignoring('status'),
  }),
  declared('The log answers fifty items', ['WHK-22'], {
    listWebhookEvents: asking((call) => {
      call.query.limit ??= 50;
    }),
  }),
  declared('Usage events fire webhooks', ['WHK-28'], {
    submitEvents: after((_, { tables, world, owner }) => {
      const last = tables.webhook_events.list('owner', owner).at(-1);
      const seq = world.nextSeq();
      if (last) tables.webhook_events.put({ ...last, id: `${last.id}-${seq}`, seq });
    }),
  }),
  declared('An email is required', ['CUS-01'], {
    createCustomer: (call, _, run) => {
      if (call.body.email === undefined)
        throw new RuleViolation([{ field: 'email', message: 'This field is required.' }]);
      return run();
    },
  }),
  declared('Test events are never live', ['WHK-76'], {
    testWebhook: neverLive,
    testWebhooks: neverLive,
    testConnectedWebhook: neverLive,
    testConnectedWebhooks: neverLive,
  }),
  declared('An activation is told as of the start that was asked for', ['SUB-66'], {
    createSubscription: refiling(
      ({ body }, call) =>
        call.body.starts_at && {
          body: body.replace(/"created":"[^"]*"/, `"created":"${call.body.starts_at}"`),
        },
    ),
  }),
  declared('A rate of a top-up in its own currency applies', ['TOP-21'], {
    createTopUp: (call, context, run) => {
      const { currency, destination } = call.body;
      const reply = run();
      const row = reply.body && context.tables.top_ups.get(reply.body.id);
      if (row && destination?.exchange_rate && destination.asset === currency) {
        const credit = String(Number(row.credit) / destination.exchange_rate) as typeof row.credit;
        context.tables.top_ups.put({ ...row, credit });
      }
      return reply;
    },
  }),
];
