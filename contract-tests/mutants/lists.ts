import { asks, type Call, type Defect, shows } from './mutant.ts';

/** Lists that are read page by page, by number. */
const LISTS = [
  'listConnectedAccounts',
  'listAssets',
  'listCustomers',
  'listCustomerStats',
  'listGrants',
  'listEvents',
  'listProducts',
  'listProductVersions',
  'listSubscribers',
  'listTasks',
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

const DAY_MS = 86_400_000;
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, day.length);

/** Defects of every list. */
export const listDefects: readonly Defect[] = [
  askedWith('Limits are ignored', (query) => {
    if (Number(query['limit'] ?? 0) > 0) query['limit'] = '1000';
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
  asks('Filters are ignored', ALL_LISTS, ({ query }) => {
    for (const name of Object.keys(query)) if (!PAGING.includes(name)) delete query[name];
  }),
  asks('The first and the last day of a period are left out', ALL_LISTS, ({ query }) => {
    for (const [name, day] of Object.entries(query))
      if (/_(from|to)$/.test(name) && Date.parse(String(day)))
        query[name] = dayAfter(String(day), name.endsWith('_to') ? -1 : 1);
  }),
  shows('The log of webhook events has one page', 'listWebhookEvents', (body) => {
    body.pagination = Object.fromEntries(Object.keys(body.pagination).map((name) => [name, null]));
  }),
];
