import { randomUUID } from 'node:crypto';
import { createEmulator, type GivenSettings } from 'billing-emulator';
import { openTwinSession } from '../forwarder/emulator/session.ts';
import { createTrafficServer } from '../forwarder/traffic.ts';
import { onLoopback } from './server.ts';

export type TestTwin = Awaited<ReturnType<typeof aTwin>>;

/** A twin in this process; `lines` holds its output. */
export async function aTwin(upstream: string, showsValues = false) {
  const lines: Record<string, unknown>[] = [];
  const session = await openTwinSession({
    settings: {},
    showsValues,
    print: (line) => lines.push(line as Record<string, unknown>),
  });
  const { baseUrl: url, close } = await onLoopback(createTrafficServer(new URL(upstream), session));
  return {
    url,
    lines,
    async end() {
      await close();
      return session.end();
    },
  };
}

/** A service that generates other ids than a twin's emulator. */
export async function aService(settings: GivenSettings = {}) {
  const own = { port: 0, fixture: '', seed: 'a service', log_level: 'silent' };
  const emulator = createEmulator({ settings: { ...own, ...settings } });
  return { url: await emulator.listen(), close: () => emulator.close() };
}

// biome-ignore lint/suspicious/noExplicitAny: The response can be spoiled on purpose.
type AnyBody = any;

/** Sends a request. Returns the body, or an empty object. */
type SendTo = (method: string, path: string, body?: unknown) => Promise<AnyBody>;

/** @param seen collects the status of each response */
export function requestsTo(url: string, key: string, seen: number[] = []): SendTo {
  return async (method, path, body) => {
    const headers = { 'X-Service-Api-Key': key, 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, { method, headers, redirect: 'manual', ...sent });
    seen.push(answer.status);
    const text = await answer.text();
    return text === '' ? {} : JSON.parse(text);
  };
}

/** Typical requests of an application, in order: it creates objects, reports usage, and reads everything. */
export async function useService(ask: SendTo): Promise<void> {
  await ask('GET', '/accounts/self');
  const account = await ask('POST', '/accounts', { name: 'Northwind', external_id: 'northwind' });
  await ask('GET', `/accounts/${account.id}`);
  await ask('GET', '/accounts');
  await ask('POST', '/assets', { code: 'CREDIT', name: 'Credits', label: 'credits' });
  await ask('GET', '/assets/CREDIT');
  await ask('GET', '/assets');
  const [ada, bob] = await createCustomers(ask);
  await ask('PATCH', `/customers/${bob.id}`, { name: 'Robert' });
  const product = await ask('POST', '/products', PRODUCT);
  await ask('GET', `/products/${product.id}`);
  await ask('GET', `/products/${product.id}/1`);
  await ask('GET', '/products');
  await ask('POST', `/customers/${ada.id}/wallet/adjustments`, {
    transaction_id: randomUUID(),
    asset: 'USD',
    amount: 20.5,
    reason: 'gift',
  });
  await ask('POST', `/customers/${ada.id}/subscriptions`, { products: [{ code: 'usage' }] });
  await sendUsage(ask, ada.id);
  for (const path of ['', '/stats', '/wallet', '/wallet/default:USD', '/wallet/default:USD/grants'])
    await ask('GET', `/customers/${ada.id}${path}`);
  await ask('GET', '/customers');
  await ask('GET', '/customers?limit=1&offset=1');
  await ask('GET', '/customers/stats');
  const vendor = await ask('POST', '/vendors', { name: 'Cloud' });
  await ask('GET', `/vendors/${vendor.id}`);
  await ask('GET', '/vendors');
  await ask('GET', '/customers/cust_nobody0000');
}

async function createCustomers(ask: SendTo): Promise<AnyBody[]> {
  const customers = [];
  for (const name of ['Ada', 'Bob', 'Eve']) {
    const given = { name, external_id: name.toLowerCase(), email: `${name}@example.com` };
    customers.push(await ask('POST', '/customers', { ...given, metadata: { team: name } }));
  }
  return customers;
}

async function sendUsage(ask: SendTo, customer_id: string): Promise<void> {
  const occurred_at = new Date().toISOString();
  const events = [1, 2].map((count) => ({
    id: randomUUID(),
    event_type: 'llm.completion',
    subject: 'job-1',
    occurred_at,
    data: { tokens: 1_000 * count },
  }));
  await ask('POST', '/events', { customer_id, events });
  await ask('GET', `/events/${events[0]?.id}`);
  await ask('GET', '/events');
  const { items: tasks = [] } = await ask('GET', '/tasks');
  await ask('GET', `/tasks/${encodeURIComponent(tasks[0]?.id)}`);
}

const PRODUCT = {
  code: 'usage',
  name: 'Usage',
  publish: true,
  prices: [
    {
      name: 'Tokens',
      type: 'usage_based',
      billing_model: { type: 'real_time' },
      usage_calculation: {
        event_type: 'llm.completion',
        usage_type: 'volume',
        volume_field: 'tokens',
      },
      pricing: [{ asset: 'USD', values: [{ volume_rate: 0.001 }] }],
    },
  ],
};
