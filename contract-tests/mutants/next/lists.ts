import { asks, type Call, type Defect, shows, showsEach } from './mutant.ts';

/** Lists that are read page by page, by number. */
const LISTS = [
  ...['listConnectedAccounts', 'listAssets', 'listCustomers', 'listCustomerStats', 'listGrants'],
  ...['listEvents', 'listProducts', 'listProductVersions', 'listSubscribers', 'listTasks'],
  'listVendors',
];
const ALL_LISTS = [...LISTS, 'listWebhooks', 'listWebhookEvents'];
const PAGING = ['limit', 'offset', 'next', 'prev', 'sort'];

/** The list that was asked for with another query; it still says what was asked. */
const askedWith = (about: string, change: (query: Call['query']) => void): Defect => {
  const asked = new WeakMap<Call, Call['query']>();
  return {
    ...asks(about, LISTS, (call) => {
      asked.set(call, { ...call.query });
      change(call.query);
    }),
    response({ body, status }, call) {
      const { limit = 100, offset = 0 } = asked.get(call) ?? {};
      if (status === 200) Object.assign(body, { limit: Number(limit), offset: Number(offset) });
    },
  };
};

/** Ignores the filters whose names match. */
const unfiltered = (about: string, names: RegExp): Defect =>
  asks(about, ALL_LISTS, ({ query }) => {
    for (const name of Object.keys(query))
      if (names.test(name) && !PAGING.includes(name)) delete query[name];
  });

const DAY_MS = 86_400_000;
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, day.length);

/** Defects of every list. */
export const listDefects: readonly Defect[] = [
  askedWith('Limits are ignored', (query) => {
    if (Number(query['limit'] ?? 0) > 0) query['limit'] = '1000';
  }),
  askedWith('Offsets are ignored', (query) => {
    delete query['offset'];
  }),
  shows('total_count is the length of the page', ALL_LISTS, (body) => {
    if ('total_count' in body) body.total_count = body.items.length;
  }),
  shows('Lists are in the reverse order', ALL_LISTS, (body) => {
    body.items.reverse();
  }),
  shows('Lists leave out their last item', ALL_LISTS, (body) => {
    body.items.pop();
  }),
  unfiltered('Filters by id, external id and code are ignored', /id$|code|subject/),
  unfiltered('Filters by name, status, kind and time are ignored', /^(?!.*(id|code|subject)$)/),
  asks('The first and the last day of a period are left out', ALL_LISTS, ({ query }) => {
    for (const [name, day] of Object.entries(query))
      if (/_(from|to)$/.test(name) && Date.parse(String(day)))
        query[name] = dayAfter(String(day), name.endsWith('_to') ? -1 : 1);
  }),
  asks('Filters by text are read in small letters', ALL_LISTS, ({ query }) => {
    for (const name of ['email', 'name', 'external_id', 'code', 'subject'])
      if (typeof query[name] === 'string') query[name] = query[name].toLowerCase();
  }),
  showsEach('Items of lists lack what is optional', LISTS, (item) => {
    for (const name of ['external_id', 'email', 'metadata', 'subject', 'description', 'total_fees'])
      delete item[name];
  }),
  asks('Lists are sorted in one way, whatever is asked for', 'listTasks', ({ query }) => {
    delete query['sort'];
  }),
  shows('The log of webhook events has one page', 'listWebhookEvents', (body) => {
    body.pagination = Object.fromEntries(Object.keys(body.pagination).map((name) => [name, null]));
  }),
];
