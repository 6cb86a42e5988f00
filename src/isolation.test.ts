import { afterAll, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator } from './main.ts';
import { PER_IMAGE, URLS } from './testing/catalog.ts';

const NOW = '2026-01-15T12:00:00.000Z';
const WORKERS = 50;

const emulators: Emulator[] = [];
afterAll(() => Promise.all(emulators.map((emulator) => emulator.close())));

/** Starts a new emulator on its own port, with frozen clocks. Returns its address. */
async function start(): Promise<string> {
  const settings = { port: 0, log_level: 'silent', clock: 'frozen', clock_now: NOW };
  // A fixed public URL, because links in responses contain the address and each run has another one.
  const emulator = createEmulator({ settings: { ...settings, public_url: 'https://bill.test' } });
  emulators.push(emulator);
  return emulator.listen();
}

/** A client of one world that records every response byte for byte. */
function recorder(url: string, key: string) {
  const transcript: string[] = [];
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { headers, status } = response;
    const told = ['x-request-id', 'date', 'content-type'].map((name) => headers.get(name));
    transcript.push([method, path, status, ...told, text].join('\n'));
    return text === '' ? undefined : JSON.parse(text);
  };
  return { transcript, call };
}

type Call = ReturnType<typeof recorder>['call'];

/** UUIDs that count from 1 in each world, so that all worlds use the same ones. */
const uuid = (count: number) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;

/** The actions of one test in its world: catalogue, customer, credit, usage, a top-up, time. */
async function live(call: Call) {
  const prices = [PER_IMAGE];
  await call('POST', '/products', { name: 'Images', code: 'images', publish: true, prices });
  const customer = await call('POST', '/customers', {
    name: 'Acme',
    external_id: 'acme',
    subscriptions: [{ products: [{ code: 'images' }] }],
  });
  const path = `/customers/${customer.id}`;
  const gift = { transaction_id: uuid(1), asset: 'EUR', amount: 10, reason: 'gift' };
  await call('POST', `${path}/wallet/adjustments`, gift);
  for (let count = 1; count <= 6; count += 1) {
    const event = { id: uuid(10 + count), event_type: 'image.generated', occurred_at: NOW };
    await call('POST', '/events', { customer_id: customer.id, events: [{ ...event, data: {} }] });
  }
  const top_up = { customer_id: customer.id, amount: 20, currency: 'EUR', ...URLS };
  const topUp = await call('POST', '/top-ups', top_up);
  await call('POST', `/_emulator/payments/${topUp.id}/settle`, { outcome: 'succeeded' });
  await call('POST', '/_emulator/clock/advance', { by: 'P40D' });
  const events = await call('GET', '/events');
  const wallet = await call('GET', `${path}/wallet`);
  const transactions = await call('GET', '/_emulator/ledger/transactions');
  const exported = await call('GET', '/_emulator/export');
  return {
    customer: customer.id,
    topUp: topUp.id,
    events: events.total_count,
    fees: events.items.map(({ total_fees }: { total_fees: number }) => total_fees),
    available: wallet.accounts.map(({ available }: { available: number }) => available),
    transactions: transactions.total_count,
    requests: exported.requests,
  };
}

describe('50 test workers on one emulator, each with its own key', () => {
  const run = async () => {
    const url = await start();
    return Promise.all(
      Array.from({ length: WORKERS }, async (_, worker) => {
        const { call, transcript } = recorder(url, `key_test_worker-${worker}`);
        return { outcome: await live(call), transcript };
      }),
    );
  };

  it('see only their own counts and ids, and get the same bytes on every run', async () => {
    const first = await run();
    const second = await run();

    for (const { outcome } of first)
      expect(outcome).toMatchObject({
        events: 6,
        fees: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
        available: [27],
        transactions: 8,
        requests: 12,
      });
    expect(first[0]?.outcome.customer).toBe('cust_6zbkxdpkdxmzc47zd1t4m3pnbb');
    expect(first[49]?.outcome.topUp).toBe('top_3cwgeg086c8g38j8wppc2cmwnx');
    expect(new Set(first.map(({ outcome }) => outcome.customer)).size).toBe(WORKERS);
    for (const [worker, { transcript }] of first.entries())
      expect(second[worker]?.transcript).toEqual(transcript);
  });
});

/** Repeats actions, resets, snapshots and clock moves in a sandbox until `isOver`. Returns the number of rounds. */
async function makeNoise(url: string, sandbox: number, isOver: () => boolean): Promise<number> {
  const { call } = recorder(url, `key_test_noise-${sandbox}`);
  let rounds = 0;
  while (!isOver() || rounds === 0) {
    await live(call);
    await call('POST', '/_emulator/snapshots', { name: 'one' });
    await call('POST', '/_emulator/reset', rounds % 2 === 0 ? { to: 'empty' } : undefined);
    if (rounds % 3 === 0) await call('POST', '/_emulator/reset', { to: 'snapshot', name: 'one' });
    await call('POST', '/_emulator/reset', { to: 'fixture', name: 'quickstart' });
    await call('POST', '/_emulator/reset', { to: 'empty' });
    rounds += 1;
  }
  return rounds;
}

/** An inbox of the emulator, because attempts over the network record how long they took. */
const INBOX = 'https://bill.test/_emulator/inbox/again';

describe('a restored snapshot', () => {
  it('leads to the same bytes again: ids, tokens, secrets, request ids and times', async () => {
    const url = await start();
    const key = 'key_test_again';
    const liveOn = async () => {
      const { call, transcript } = recorder(url, key);
      await call('POST', '/webhooks', { url: INBOX, topics: ['*'] });
      await live(call);
      return transcript;
    };
    const { call } = recorder(url, key);
    await call('POST', '/vendors', { name: 'Before' });
    await call('POST', '/_emulator/snapshots', { name: 'before' });
    const first = await liveOn();
    await call('POST', '/_emulator/reset', { to: 'snapshot', name: 'before' });
    const second = await liveOn();
    await call('POST', '/_emulator/reset', { to: 'snapshot', name: 'before' });

    expect(second).toEqual(first);
    expect(await liveOn()).toEqual(first);
    expect(first.join()).toContain('req_13');
  });
});

describe('a world', () => {
  it('returns the same bytes alone and next to 20 busy sandboxes, in another emulator', async () => {
    const look = async (url: string) => {
      const { call, transcript } = recorder(url, 'key_test_emulator');
      await call('POST', '/_emulator/reset', { to: 'fixture', name: 'quickstart' });
      await call('GET', '/_emulator/export');
      await call('POST', '/_emulator/reset', { to: 'empty' });
      await live(call);
      return transcript;
    };
    const alone = await look(await start());
    const url = await start();
    let isOver = false;
    const noise = Promise.all(
      Array.from({ length: 20 }, (_, sandbox) => makeNoise(url, sandbox, () => isOver)),
    );
    const beside = await look(url);
    isOver = true;
    const rounds = await noise;

    expect(beside).toEqual(alone);
    expect(Math.min(...rounds)).toBeGreaterThan(0);
  });
});
