import { asks, type Call, type Defect, eachValue } from './mutant.ts';

const CREATIONS = [
  ...[
    'createConnectedAccount',
    'createAsset',
    'createCustomer',
    'createSubscription',
    'createProduct',
  ],
  ...[
    'createProductVersion',
    'createTopUp',
    'createVendor',
    'createWebhook',
    'adjustWallet',
    'chargeWallet',
  ],
];
const UPDATES = [
  ...['updateCustomer', 'updateSubscription', 'updateSubscriptionProduct', 'updateProductVersion'],
  'updateWebhook',
];
const _READS = [
  ...[
    'getConnectedAccount',
    'getAsset',
    'getCustomer',
    'getWalletTransaction',
    'getEvent',
    'getProduct',
  ],
  ...['getProductVersion', 'getTask', 'getTopUp', 'getVendor', 'getWebhook'],
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
const CONFLICT = { type: 'about:blank', title: 'Conflict', status: 409 };

const OFFSET = /^(\d{4}-\d\d-\d\dT[\d:.]+)[+-]\d\d:\d\d$/;

/** Defects of how records are kept and shown. */
export const recordDefects: readonly Defect[] = [
  forgets(
    'What is optional is forgotten',
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
  asks('An update does not clear what is null', UPDATES, ({ body }) => {
    for (const name of Object.keys(body ?? {})) if (body[name] === null) delete body[name];
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
    about: 'Times have neither milliseconds nor a zone',
    response({ body }) {
      eachValue(body, (value, name, holder) => {
        if (name.endsWith('_at') && typeof value === 'string')
          holder[name] = value.replace(/(\.\d{3})?Z$/, '');
      });
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
  {
    about: 'Identifiers have no prefix',
    response({ body }) {
      eachValue(body, (value, name, holder) => {
        if (/(^|_)id$/.test(name) && typeof value === 'string')
          holder[name] = value.replace(/^[a-z]{2,4}_/, '');
      });
    },
  },
  asks('What is sent again is carried out again', ONCE, ({ body }) => {
    if (body?.transaction_id) body.transaction_id = crypto.randomUUID();
    for (const event of Array.isArray(body?.events) ? body.events : [])
      if (event?.id) event.id = crypto.randomUUID();
  }),
  conflicting(),
];

/** Rejects what was sent before. */
function conflicting(): Defect {
  const [seen, again] = [new Set<string>(), new WeakSet<Call>()];
  return {
    about: 'What is sent again is a conflict',
    of: ONCE,
    request(call) {
      const id = call.body?.transaction_id ?? call.body?.events?.[0]?.id;
      if (seen.has(id)) again.add(call);
      seen.add(id);
    },
    response(answer, call) {
      if (again.has(call)) Object.assign(answer, { status: 409, body: CONFLICT });
    },
  };
}
