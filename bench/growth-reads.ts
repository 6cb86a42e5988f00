import type { SeededWorld } from './growth-world.ts';

/** A read whose cost must not grow with the size of the world. */
export interface Read {
  readonly name: string;
  path(seeded: Omit<SeededWorld, 'world'>): string;
}

const get = (name: string, path: Read['path'] | string): Read => ({
  name,
  path: typeof path === 'string' ? () => path : path,
});

const service: readonly Read[] = [
  get('customers', '/customers'),
  get('customers by name', '/customers?name=omer%2077&limit=1'),
  get('active customers', '/customers?status=active&limit=40'),
  get('a customer', ({ customer }) => `/customers/${customer}`),
  get(
    'customers by revenue',
    '/customers/stats?limit=40&period_from=2026-01-01&period_to=2026-01-31',
  ),
  get('stats of a customer', ({ customer }) => `/customers/${customer}/stats`),
  get('wallet', ({ heavy }) => `/customers/${heavy}/wallet`),
  get('events', '/events?limit=20'),
  get('events by period', '/events?limit=20&period_from=2026-01-05&period_to=2026-01-12'),
  get('events with fees', '/events?limit=20&has_fees=true'),
  get('events of two types', '/events?limit=20&event_types=call,note'),
  get(
    'events by all of these',
    '/events?limit=5&period_from=2026-01-05&has_fees=true&event_types=call,note',
  ),
  get('events of a task, of all customers', '/events?limit=20&subject=task-1'),
  get(
    'events of the heavy customer by period',
    ({ heavy }) => `/events?limit=5&customer_id=${heavy}&period_to=2026-01-12`,
  ),
  get('the last events', ({ heavy }) => `/events?limit=5&offset=20&customer_id=${heavy}`),
  get('an event', ({ eventId }) => `/events/${eventId}`),
  get('tasks', '/tasks?limit=20'),
  get('tasks by period', '/tasks?limit=20&last_updated_from=2026-01-05&last_updated_to=2026-01-28'),
  get('tasks created in a period', '/tasks?limit=20&created_from=2026-01-01&created_to=2026-01-28'),
  get('tasks by subject', '/tasks?limit=20&subject=task-1'),
  get('a task', ({ task }) => `/tasks/${task}`),
  get('subscribers', ({ product }) => `/products/${product}/subscribers?limit=20`),
  get('webhook events', '/webhooks/events?limit=20'),
  get('webhook events that failed', '/webhooks/events?limit=20&status=Failed'),
];

const control: readonly Read[] = [
  get('transactions', '/_emulator/ledger/transactions?limit=20'),
  get('transactions by source', '/_emulator/ledger/transactions?limit=20&source=usage'),
  get(
    'transactions of an event',
    ({ eventId }) => `/_emulator/ledger/transactions?event_id=${eventId}`,
  ),
  get('transactions of a fee', ({ feeId }) => `/_emulator/ledger/transactions?fee_id=${feeId}`),
  get(
    'transactions of the heavy customer by type',
    ({ heavy }) => `/_emulator/ledger/transactions?limit=20&customer_id=${heavy}&type=fee`,
  ),
  get('explain a fee', ({ feeId }) => `/_emulator/explain/${feeId}`),
  get('explain an event', ({ eventId }) => `/_emulator/explain/${eventId}`),
  get('agenda', '/_emulator/clock?limit=20'),
  get('warnings', '/_emulator/warnings?limit=20'),
  get('deliveries', '/_emulator/webhooks/deliveries?limit=20'),
  get('sandboxes', '/_emulator/sandboxes'),
  get('snapshots', '/_emulator/snapshots'),
];

export const UI = '/_emulator/ui';

/** Adds the key to the address of a page, because pages get their world by the query. Other addresses stay. */
export const withKey = (path: string, key: string): string =>
  path.startsWith(UI) ? `${path}${path.includes('?') ? '&' : '?'}key=${key}` : path;

export const pages: readonly Read[] = [
  get('page: overview', `${UI}/`),
  get('page: customers', `${UI}/customers`),
  get('page: a customer', ({ customer }) => `${UI}/customers/${customer}`),
  get('page: the heavy customer', ({ heavy }) => `${UI}/customers/${heavy}`),
  get('page: ledger', `${UI}/ledger`),
  get('page: usage', `${UI}/events`),
  get('page: an event', ({ eventId }) => `${UI}/events/${eventId}`),
  get('page: profit', `${UI}/customers/profit`),
  get('page: products', `${UI}/products`),
  get('page: time', `${UI}/time`),
  get('page: requests', `${UI}/requests`),
  get('page: webhooks', `${UI}/webhooks`),
  get('page: usage with warnings', `${UI}/events?q=warning:*`),
];

/** Searches in lists, and searches in the field at the top. */
export const searches: readonly Read[] = [
  get('search: a customer by name', `${UI}/customers?q=heavy`),
  get('search: a page of customers by name', `${UI}/customers?q=customer`),
  get('search: words that no customer has', `${UI}/customers?q=nowhere`),
  get('search: customers below zero', `${UI}/customers?q=balance:%3C0`),
  get('search: usage of a customer', ({ heavy }) => `${UI}/events?q=customer:${heavy}`),
  get('search: words that no usage has', `${UI}/events?q=nowhere`),
  get('search: usage by amount', `${UI}/events?q=amount:%3E=5`),
  get('search: ledger transactions by amount', `${UI}/ledger?q=amount:%3E=5`),
  get('search: refused requests', `${UI}/requests?q=status:4*`),
  get('search: an event by id', ({ eventId }) => `${UI}/go?id=${eventId}`),
  get('search: a ledger transaction by id', ({ transaction }) => `${UI}/go?id=${transaction}`),
];

export const READS = [...service, ...control, ...pages, ...searches];
