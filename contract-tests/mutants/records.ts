import { asks, type Defect, eachValue } from './mutant.ts';

const CREATIONS = [
  'createConnectedAccount',
  'createAsset',
  'createCustomer',
  'createSubscription',
  'createProduct',
  'createProductVersion',
  'createTopUp',
  'createVendor',
  'createWebhook',
  'adjustWallet',
  'chargeWallet',
];
const UPDATES = [
  'updateCustomer',
  'updateSubscription',
  'updateSubscriptionProduct',
  'updateProductVersion',
  'updateWebhook',
];

const forgets = (about: string, ...names: readonly string[]): Defect =>
  asks(about, [...CREATIONS, ...UPDATES, 'submitEvents'], ({ body }) => {
    for (const holder of [body, ...(body?.events ?? [])])
      for (const name of names) if (holder) delete holder[name];
  });

/** Changes each text of a body that a user chooses. */
const spells = (about: string, change: (text: string) => string): Defect =>
  asks(about, [...CREATIONS, ...UPDATES, 'submitEvents'], ({ body }) => {
    eachValue(body, (value, name, holder) => {
      if (typeof value === 'string' && TEXTS.has(name)) holder[name] = change(value);
    });
  });
const TEXTS = new Set([
  'name',
  'external_id',
  'email',
  'description',
  'subject',
  'label',
  'symbol',
]);

/** Operations that are carried out once, however often they are sent. */
const ONCE = ['adjustWallet', 'chargeWallet', 'submitEvents'];

const OFFSET = /^(\d{4}-\d\d-\d\dT[\d:.]+)[+-]\d\d:\d\d$/;

/** Defects of how records are kept and shown. */
export const recordDefects: readonly Defect[] = [
  forgets(
    'Optional fields are forgotten',
    'external_id',
    'metadata',
    'description',
    'email',
    'subject',
  ),
  spells('Texts are kept in ASCII, and at most 60 characters', (text) =>
    text.replaceAll(/[^ -~]/g, '?').slice(0, 60),
  ),
  asks('What must be unique may be taken twice', CREATIONS, ({ body }) => {
    for (const name of ['external_id', 'code'])
      if (body?.[name]) body[name] += `-${Math.random()}`.slice(0, 8);
  }),
  asks('An update changes nothing', UPDATES, ({ body }) => {
    for (const name of Object.keys(body ?? {})) delete body[name];
  }),
  {
    about: 'What is deleted stays',
    of: ['deleteProduct', 'archiveProductVersion', 'deleteWebhook'],
    request(call) {
      call.method = 'GET';
    },
    response(answer) {
      if (answer.status === 200) Object.assign(answer, { status: 204, body: undefined });
    },
  },
  {
    about: 'The offset of a date-time is ignored',
    request({ body, query }) {
      eachValue([body, query], (value, name, holder) => {
        if (typeof value === 'string') holder[name] = value.replace(OFFSET, '$1Z');
      });
    },
  },
  asks('A repeated request is carried out again', ONCE, ({ body }) => {
    if (body?.transaction_id) body.transaction_id = crypto.randomUUID();
    for (const event of Array.isArray(body?.events) ? body.events : [])
      if (event?.id) event.id = crypto.randomUUID();
  }),
];
