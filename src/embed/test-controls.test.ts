import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startEmulator } from '../index.ts';

/** Names that the types reject are also rejected at run time, for users of JavaScript. */
describe('a misspelt name', () => {
  it('of a choice makes startEmulator throw', () =>
    // @ts-expect-error There is no such clock.
    expect(startEmulator({ settings: { clock: 'frosen' } })).rejects.toThrow(
      'Setting clock: expected one of real, frozen, offset, got frosen.',
    ));

  it('of an operation or a topic makes the call throw', async () => {
    await using emulator = await startEmulator({ settings: { fixture: '' } });
    const { requests, faults, webhooks } = emulator;

    // @ts-expect-error There is no such operation.
    await expect(requests.wait({ operation: 'submitEvnts' })).rejects.toThrow(
      /There is no operation .*submitEvnts.* Did you mean submitEvents\?/,
    );
    // @ts-expect-error There is no such operation.
    await expect(faults.add({ match: { operation: 'getWalet' }, status: 503 })).rejects.toThrow(
      /Did you mean getWallet\?/,
    );
    const match = { topic: 'subscription.activatd' } as const;
    // @ts-expect-error There is no such topic.
    await expect(webhooks.wait(match)).rejects.toThrow(/Did you mean subscription.activated\?/);
  });
});

describe('startEmulator', () => {
  it('lets a test change what arrives, and what is sent', async () => {
    const emulator = await startEmulator({
      settings: { fixture: '' },
      around: (handle) => (request, response) => {
        if (request.url === '/vendors') response.writeHead(418).end();
        else handle(request, response);
      },
    });
    const statuses = ['/vendors', '/customers'].map(async (path) => {
      const headers = { Authorization: `Bearer ${emulator.key}` };
      return (await fetch(emulator.url + path, { headers })).status;
    });

    expect(await Promise.all(statuses)).toEqual([418, 200]);
    await emulator.close();
  });
});

const settings = { fixture: '', clock: 'frozen', clock_now: '2026-01-15T12:00:00Z' } as const;
const open = () => startEmulator({ settings });

const PLAN = {
  name: 'Team',
  code: 'team',
  publish: true,
  prices: [
    {
      name: 'Seat',
      type: 'fixed' as const,
      billing_model: { type: 'recurring' as const, recurring: { interval: 'month' as const } },
      pricing: [{ asset: 'USD', values: [{ unit_price: 29 }] }],
    },
  ],
};

describe('customers.create', () => {
  it('creates a customer with a paid plan and credit, whose balance is found by external id', async () => {
    await using emulator = await open();
    await emulator.client.call('createAsset', { body: { code: 'CREDIT', name: 'Credits' } });
    await emulator.client.call('createProduct', { body: PLAN });
    const waiting = await emulator.customers.create({ external_id: 'bea', plan: 'team' });
    const ann = await emulator.customers.create({
      external_id: 'ann',
      plan: 'team',
      paid: true,
      credit: { CREDIT: 50, USD: 7.5 },
    });

    expect(waiting.subscriptions.map(({ status }) => status)).toEqual(['action_required']);
    expect(ann).toMatchObject({ name: 'ann', subscriptions: [{ status: 'active' }] });
    expect(await emulator.balance('ann', 'CREDIT')).toBe(50);
    expect(await emulator.balance(ann.id)).toBe(7.5);
    expect(await emulator.balance('bea', 'bonus:USD')).toBe(0);
    await expect(emulator.balance('eve')).rejects.toMatchObject({ status: 404 });
  });
});

describe('receiver', () => {
  it('has its destination and secret, and returns each event once, in order', async () => {
    await using emulator = await open();
    await using receiver = await emulator.receiver();
    const path = { topic: 'subscription.activated' } as const;
    const first = await emulator.client.call('testWebhooks', { path, body: { n: 1 } });
    const event = await receiver.next();
    const later = receiver.next();
    const second = await emulator.client.call('testWebhooks', { path, body: { n: 2 } });

    expect(event).toMatchObject({ id: first.id, type: path.topic, data: { n: 1 } });
    expect((await later).id).toBe(second.id);
    await fetch(receiver.url, { method: 'POST', body: '{"id": "forged"}' });
    expect(receiver.received.map(({ id }) => id)).toEqual([first.id, second.id, 'forged']);
    expect(receiver.verified.map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it('fails deliveries as asked, and says that no event came', async () => {
    await using emulator = await open();
    await using receiver = await emulator.receiver({ respond: () => 503 });
    await expect(receiver.next(20)).rejects.toThrow(
      'No further webhook event arrived within 20 ms; 0 arrived before.',
    );
    const path = { topic: 'subscription.activated' } as const;
    const { id } = await emulator.client.call('testWebhooks', { path, body: {} });
    expect((await receiver.next()).id).toBe(id);
    await emulator.webhooks.flush();
    const { items } = await emulator.client.call('listDeliveries');

    expect(items).toMatchObject([{ destination_id: receiver.destinationId, status: 'pending' }]);
    expect(receiver.received.map((each) => each.id)).toEqual([id, id]);
  });
});

describe('the clock', () => {
  it('gives the time of the world as text and as a Date', async () => {
    await using emulator = await open();
    await emulator.clock.advance('P1D');

    expect(await emulator.clock.now()).toBe('2026-01-16T12:00:00.000Z');
    expect((await emulator.clock.asDate()).getTime()).toBe(Date.UTC(2026, 0, 16, 12));
  });
});

describe('assertNoWarnings', () => {
  it('resolves without warnings, and throws them all', async () => {
    await using emulator = await open();
    await expect(emulator.assertNoWarnings()).resolves.toBeUndefined();
    const { id: customer_id } = await emulator.customers.create();
    const event = { id: '00000000-0000-4000-8000-000000000001', event_type: 'call' };
    const events = [{ ...event, occurred_at: '2026-01-15T12:00:00Z' }];
    await emulator.client.call('submitEvents', { body: { customer_id, events } });

    await expect(emulator.assertNoWarnings()).rejects.toThrow(/^There are warnings:\n {2}\w+: ./);
  });
});

it('diff() returns what changed since a snapshot', async () => {
  await using emulator = await startEmulator({ settings: { clock: 'frozen', fixture: '' } });
  const before = await emulator.snapshot();
  expect(await emulator.diff(before)).toEqual([]);
  expect(await emulator.diff(before.name, before)).toEqual([]);
  await emulator.client.call('createCustomer', { body: { name: 'Acme' } });

  expect(await emulator.diff(before, undefined, { ignore: ['requests'] })).toEqual([
    'customers: 1 added, 0 → 1',
    '  + Acme',
    'numberings: 1 added, 0 → 1',
    'records created: count 0 → 1',
  ]);
  await before.restore();
  expect(await emulator.diff(before)).toEqual([]);
});

describe('fixtures of an embedded emulator', () => {
  it('fill a sandbox from a file; a missing file or a path over HTTP is rejected with 422', async () => {
    await using emulator = await startEmulator();
    const file = fileURLToPath(new URL('../../fixtures/price-models.yaml', import.meta.url));
    await using filled = await emulator.sandbox('filled', { fixture: file });

    expect((await filled.client.call('listProducts')).total_count).toBe(1);
    await filled.reset();
    expect((await filled.client.call('listProducts')).total_count).toBe(1);
    await expect(emulator.sandbox('other', { fixture: './no-such.yaml' })).rejects.toMatchObject({
      status: 422,
      problem: {
        errors: {
          fixture: [`./no-such.yaml: there is no such fixture (${resolve('no-such.yaml')}).`],
        },
      },
    });
    await expect(
      emulator.client.call('createSandbox', { body: { name: 'c', fixture: '/etc/passwd' } }),
    ).rejects.toMatchObject({ status: 422 });
  });

  it('that are missing stop the start, or make requests to a new sandbox return 503', async () => {
    await expect(startEmulator({ settings: { fixture: 'quickstar' } })).rejects.toThrow(
      /quickstar: there is no such fixture .*Did you mean quickstart\?/,
    );
    await using emulator = await startEmulator({ settings: { sandbox_fixture: 'nothing' } });
    await expect(emulator.as('key_test_shop').client.call('listVendors')).rejects.toMatchObject({
      status: 503,
      problem: {
        type: '/problems/unavailable',
        detail: expect.stringContaining('cannot be run. nothing: there is no such fixture'),
      },
    });
  });
});
