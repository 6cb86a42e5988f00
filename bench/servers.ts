import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { createClient } from '../src/client/client.ts';
import { usagePrice } from '../src/testing/catalog.ts';

export const KEY = 'key_test_bench';

/** A server that responds to the requests of the benchmark. */
export interface Server {
  readonly name: string;
  readonly version: string;
  line(port: number, folder: string): readonly string[];
  /** Where requests go. The path of one customer can be known once the server has started. */
  readonly paths: Readonly<Partial<Record<Destination, string>>>;
  /** Sends the requests that prepare it. Returns the path of one customer. */
  prepare?(url: string): Promise<string>;
}

export const PATHS = { page: '/customers', create: '/customers', events: '/events' };

const BENCH_SETTINGS = {
  clock: 'frozen',
  clock_now: '2026-01-15T12:00:00Z',
  sandbox_fixture: 'quickstart',
  log_level: 'error',
};

/** The command that users run, of this checkout or of another built one. */
export function emulatorAt(folder: string, name = 'emulator', data = ''): Server {
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const flags = Object.entries({ ...BENCH_SETTINGS, data }).flatMap(([setting, value]) => [
    `--${setting.replaceAll('_', '-')}`,
    value,
  ]);
  const binary = `${folder}/bin/billing-emulator.js`;
  return {
    name,
    version,
    line: (port) => [process.execPath, binary, 'start', '--port', String(port), ...flags],
    paths: PATHS,
    prepare: fill,
  };
}

/** Adds 200 customers to those of the quickstart fixture, and one whose events have three fees each. */
async function fill(url: string): Promise<string> {
  const client = createClient({ url, key: KEY });
  let customer = '';
  for (let count = 0; count < 200; count += 1) {
    const body = { name: `Customer ${count}`, external_id: `customer-${count}` };
    customer = (await client.call('createCustomer', { body })).id;
  }
  const prices = [1, 2, 3].map((unit_price) => usagePrice({ values: [{ unit_price }] }));
  const product = { name: 'Metered', code: 'metered', publish: true, prices };
  const { id } = await client.call('createProduct', { body: product as never });
  const subscriptions = [{ products: [{ id }], starts_at: '2025-11-01T00:00:00Z' }];
  const metered = { name: 'Metered', external_id: 'metered', subscriptions };
  const { id: customerId } = await client.call('createCustomer', { body: metered });
  const credit = { transaction_id: randomUUID(), asset: 'USD', amount: 1e12 };
  const body = { ...credit, reason: 'external_topup' } as const;
  await client.call('adjustWallet', { path: { customerId }, body });
  return `/customers/${customer}`;
}

/** Responds with the same bytes as the emulator, so that only the work differs. */
export const BARE: Server = {
  name: 'bare `node:http`',
  version: process.version,
  line: (port, folder) => [
    process.execPath,
    '--import',
    'tsx',
    fileURLToPath(new URL('servers/bare-server.ts', import.meta.url)),
    String(port),
    folder,
  ],
  paths: { ...PATHS, one: '/customers/1' },
};

/**
 * Stores responses of the emulator for servers without customers of their own: as bytes, as a list of customers, and
 * as examples in the document.
 */
export async function keepResponses(url: string, one: string, folder: string): Promise<void> {
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
  const ask = async (path: string, body?: object): Promise<string> => {
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(url + path, { headers, ...sent })).text();
  };
  const answers = {
    one: await ask(one),
    page: await ask('/customers'),
    rest: await ask('/customers?offset=100'),
    created: await ask('/customers', { name: 'Acme', external_id: randomUUID() }),
  };
  const items = [answers.page, answers.rest].flatMap((text) => JSON.parse(text).items);
  const files = {
    ...answers,
    customers: JSON.stringify(items),
    document: JSON.stringify(documentWith(answers)),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}.json`, text);
}

function documentWith(answers: Readonly<Record<'one' | 'page' | 'created', string>>): object {
  const document = parse(readFileSync(new URL('../spec/openapi.yaml', import.meta.url), 'utf8'));
  const setExample = (path: string, method: string, status: string, text: string) => {
    const { content } = document.paths[path][method].responses[status];
    content['application/json'].example = JSON.parse(text);
  };
  setExample('/customers/{customerId}', 'get', '200', answers.one);
  setExample('/customers', 'get', '200', answers.page);
  setExample('/customers', 'post', '201', answers.created);
  return document;
}

/** A kind of request. Each server defines its address. */
export interface Scenario {
  readonly name: string;
  readonly to: Destination;
  body?(): unknown;
  /** Number of events in one request. */
  readonly events?: number;
  readonly fees?: number;
}

type Destination = 'one' | 'page' | 'create' | 'events';

const anEvent = (event_type: string) => ({
  id: randomUUID(),
  event_type,
  occurred_at: '2026-01-15T12:00:00Z',
  subject: 'chat-1',
  data: { model: 'large', tokens: 1200 },
});

const batch = (length: number, customer_external_id: string, eventType: string) => () => ({
  customer_external_id,
  events: Array.from({ length }, () => anEvent(eventType)),
});

export const SCENARIOS: readonly Scenario[] = [
  { name: 'GET one customer', to: 'one' },
  { name: 'GET a page of 100', to: 'page' },
  {
    name: 'POST a customer',
    to: 'create',
    body: () => ({ name: 'Acme', external_id: randomUUID(), metadata: { tier: 'gold' } }),
  },
  {
    name: 'POST 1 event',
    to: 'events',
    body: batch(1, 'acme', 'llm.completion'),
    events: 1,
    fees: 1,
  },
  {
    name: 'POST 100 events, a fee each',
    to: 'events',
    body: batch(100, 'acme', 'llm.completion'),
    events: 100,
    fees: 100,
  },
  {
    name: 'POST 100 events, three fees each',
    to: 'events',
    body: batch(100, 'metered', 'call'),
    events: 100,
    fees: 300,
  },
];
