import { asks, type Defect, type Loose, shows } from './mutant.ts';

const SHOWN = ['createSubscription', 'createCustomer', 'getCustomer'];

/** Changes each subscription that is shown. */
const subscriptions = (about: string, change: (subscription: Loose) => void): Defect =>
  shows(about, SHOWN, (body) => {
    for (const each of body.subscriptions ?? (body.products ? [body] : [])) change(each);
  });

/** Changes each subscription that is asked for. */
const subscribing = (about: string, change: (body: Loose) => void): Defect =>
  asks(about, ['createSubscription', 'createCustomer'], ({ body, operation }) => {
    const all = operation === 'createCustomer' ? body?.subscriptions : [body];
    for (const each of Array.isArray(all) ? all : []) if (each) change(each);
  });

const DAY_MS = 86_400_000;

/** Defects of subscriptions, of what is paid and of what time does. */
export const subscriptionDefects: readonly Defect[] = [
  shows('Customers have no subscriptions', 'getCustomer', (body) => {
    Object.assign(body, { subscriptions: [], active_subscription_count: 0 });
  }),
  subscriptions('A subscription renews a day later than it should', (each) => {
    if (each.renews_at)
      each.renews_at = new Date(Date.parse(each.renews_at) + DAY_MS).toISOString();
  }),
  subscriptions('An ended subscription shows its next renewal', (each) => {
    if (each.status === 'inactive') each.renews_at = '2999-01-01T00:00:00.000Z';
  }),
  subscribing('A start and a first renewal that are asked for are forgotten', (each) => {
    delete each.starts_at;
    delete each.renews_at;
  }),
  subscribing('A subscription is to the first of its products', (each) => {
    if (each.products?.length > 1) each.products = each.products.slice(0, 1);
  }),
  shows('A product has no subscribers', 'listSubscribers', (body) => {
    Object.assign(body, { items: [], total_count: 0 });
  }),
  shows('A top-up is always paid', 'getTopUp', (body) => {
    body.status = 'succeeded';
  }),
  asks('A saved card is not kept', 'setPaymentMethod', ({ body }) => {
    for (const name of Object.keys(body)) delete body[name];
    body.kind = 'none';
  }),
  asks('Nothing is topped up by itself', 'setAutoTopUp', ({ body }) => {
    for (const name of Object.keys(body)) delete body[name];
    body.threshold = null;
  }),
  asks('What is due happens a day late', 'advanceClock', ({ body }) => {
    if (body?.to) body.to = new Date(Date.parse(body.to) - DAY_MS).toISOString();
  }),
];
