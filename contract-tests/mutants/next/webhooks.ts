import { asks, type Defect, shows, showsEach } from './mutant.ts';

const _TESTS = ['testWebhooks', 'testWebhook', 'testConnectedWebhooks', 'testConnectedWebhook'];
const SETS = ['createWebhook', 'updateWebhook'];
const SHOWN = ['getWebhook', 'updateWebhook', 'createWebhook'];

/** A defect of what receivers get. */
const delivers = (about: string, delivery: NonNullable<Defect['delivery']>): Defect => ({
  about,
  delivery,
});

/** Changes the signature headers. */
const signs = (about: string, change: (signature: string) => string): Defect =>
  delivers(about, ({ headers }) => {
    for (const name of Object.keys(headers))
      if (name.endsWith('-signature')) headers[name] = change(headers[name] as string);
  });

/** Defects of destinations, of what they get and of the log. */
export const webhookDefects: readonly Defect[] = [
  signs('Deliveries are not signed', () => ''),
  delivers('Deliveries are signed as if they were written otherwise', (delivery) => {
    delivery.body = { again: true, ...delivery.body };
  }),
  delivers('An envelope does not say when it was created', ({ body }) => {
    delete body.created;
  }),
  delivers('Test events pass for live ones', ({ body }) => {
    body.live_mode = !body.live_mode;
  }),
  delivers('An envelope does not say whose event it is', ({ body }) => {
    delete body.account_id;
  }),
  delivers('Deliveries do not say of which customer and subscription they are', ({ body }) => {
    body.data = {};
  }),
  asks('Nothing is delivered', SETS, ({ body }) => {
    if (typeof body?.url === 'string' && /127\.0\.0\.1|localhost/.test(body.url))
      body.url = 'http://127.0.0.1:9/';
  }),
  asks('A disabled destination gets everything', 'updateWebhook', ({ body }) => {
    delete body?.enabled;
  }),
  asks('A destination gets every topic', SETS, ({ body }) => {
    if (Array.isArray(body?.topics)) body.topics = ['*'];
  }),
  asks('Destinations are of the platform itself', 'createWebhook', ({ body }) => {
    delete body?.connect;
  }),
  shows('Destinations do not say what they get', SHOWN, (body) => {
    Object.assign(body, { topics: [], enabled: true, connect: false });
  }),
  shows('The log of webhook events is lost', 'listWebhookEvents', (body) => {
    body.items = [];
  }),
  showsEach('The log names no destination', 'listWebhookEvents', (item) => {
    item.matched_destination_ids = [];
  }),
  showsEach('The log says of everything that it succeeded', 'listWebhookEvents', (item) => {
    Object.assign(item, { successful_at: item.time, failed_at: null });
  }),
];
