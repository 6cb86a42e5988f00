import { describe, expect, it } from 'vitest';
import { startEmulator } from '../index.ts';

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
      ...{ external_id: 'ann', plan: 'team', paid: true },
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
    const { items } = await emulator.webhooks.list();

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
