import { asks, type Defect, shows } from './mutant.ts';

const SETS = ['createWebhook', 'updateWebhook'];

/** A defect of what receivers get. */
const delivers = (about: string, delivery: NonNullable<Defect['delivery']>): Defect => ({
  about,
  delivery,
});

/** Changes the signature headers. */
const signs = (about: string, change: (signature: string) => string): Defect =>
  delivers(about, ({ headers }) => {
    for (const name of Object.keys(headers))
      if (/-signature$/i.test(name)) headers[name] = change(headers[name] as string);
  });

/** Defects of destinations, of what they get and of the log. */
export const webhookDefects: readonly Defect[] = [
  signs('Deliveries are not signed', () => ''),
  delivers('An envelope has another id and time, and no data', ({ body }) => {
    Object.assign(body, { id: 'evt_none', created: '2000-01-01T00:00:00.000Z', data: {} });
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
  shows('The log of webhook events is lost', 'listWebhookEvents', (body) => {
    body.items = [];
  }),
];
