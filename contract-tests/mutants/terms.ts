import { asking, declared, each, type Loose, type Mutant, onRefusal, showing } from './mutant.ts';

const DAYS_34 = 34 * 86_400_000;
const MINUTES_5 = 300_000;

/** A date-time without regard to its offset. */
const asWritten = (text: string): string => text.replace(/[+-]\d\d:\d\d$/, 'Z');

/** Takes the date-times of an object for UTC. */
function takeForUtc(fields: Loose): void {
  for (const [name, value] of Object.entries(fields ?? {}))
    if (typeof value === 'string') fields[name] = asWritten(value);
}

const inBody = asking(({ body }) => takeForUtc(body));
const inQuery = asking(({ query }) => takeForUtc(query));

/** Rejects events whose distance from the clock is one of these. */
const rejectingEvents = (isRejected: (age: number) => boolean): Mutant['around'] => ({
  submitEvents: (call, { now }, run) =>
    call.body.events.some(({ occurred_at }: Loose) =>
      isRejected(Date.parse(now) - Date.parse(occurred_at)),
    )
      ? { status: 422 }
      : run(),
});

/** Mutants of the terms of subscriptions, of date-times with an offset and of edges in time. */
export const termMutants: readonly Mutant[] = [
  declared('The offset of an end of credit is ignored', ['X-91'], { adjustWallet: inBody }),
  declared('The offset of a given renewal is ignored', ['X-91'], { createSubscription: inBody }),
  declared('The offset of a filter of grants is ignored', ['X-92'], { listGrants: inQuery }),
  declared('The offset of a filter of the log is ignored', ['X-92'], {
    listWebhookEvents: inQuery,
  }),
  declared('The offset of the time of a quote is ignored', ['AST-54'], { quoteAsset: inBody }),
  declared('An event of exactly 34 days ago is too old', ['EVT-103'], {
    ...rejectingEvents((age) => age === DAYS_34),
  }),
  declared('An event of exactly 5 minutes ahead is too early', ['EVT-103'], {
    ...rejectingEvents((age) => age === -MINUTES_5),
  }),
  declared('A subscription keeps the first of its products', ['SUB-79', 'SUB-80'], {
    createSubscription: asking(({ body }) => {
      body.products = body.products.slice(0, 1);
    }),
  }),
  declared('A fixed price keeps its first currency', ['SUB-80'], {
    createProduct: asking(({ body }) => {
      for (const price of body.prices ?? [])
        if (price.type === 'fixed') price.pricing = price.pricing.slice(0, 1);
    }),
  }),
  declared('A change to another interval is accepted', ['SUB-80'], {
    updateSubscriptionProduct: onRefusal(() => ({ status: 204 })),
  }),
  declared('Stats of customers come by the lowest revenue first', ['CUS-51'], {
    listCustomerStats: showing(({ items }) => ({ items: [...items].reverse() })),
  }),
  declared('A customer lacks a subscription', ['SUB-10'], {
    getCustomer: showing((body) => ({ subscriptions: body.subscriptions.slice(1) })),
  }),
  declared('A customer lacks every subscription', ['SUB-10'], {
    getCustomer: showing(() => ({ subscriptions: [] })),
  }),
  declared('An ended subscription shows a renewal', ['SUB-83'], {
    getCustomer: each(
      'subscriptions',
      ({ status, started_at }) => status === 'inactive' && { renews_at: started_at },
    ),
  }),
  declared('An inverse rate is rounded', ['EVT-104'], {
    createAsset: asking(({ body }) => {
      for (const rate of body.rates ?? []) {
        if (rate.inverse_rate === undefined) continue;
        rate.rate = Number((1 / rate.inverse_rate).toFixed(12));
        delete rate.inverse_rate;
      }
    }),
  }),
  {
    ...declared('A content type with a charset is rejected', ['X-93']),
    rawResponse: (answer, { headers }) =>
      /charset/i.test(headers['content-type'] ?? '')
        ? { ...answer, status: 415, text: '' }
        : answer,
  },
];
