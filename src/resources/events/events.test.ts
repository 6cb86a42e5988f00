import { describe, expect, it } from 'vitest';
import { anEvent, CREDIT_ASSET, nextUuid } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser, type User } from '../../testing/story.ts';
import { imageOf } from '../../testing/worlds.ts';

const client = createTestClient();
const { api } = client;

/** The errors of a rejected submission, by field. */
async function rejection(user: User, body: object): Promise<Record<string, string[]>> {
  return (await api('submitEvents', { key: user.key, body }, 422)).errors;
}

describe('submitEvents validation', () => {
  it('takes 10,000 fields of data and 1,000 costs, and no more', async () => {
    const user = await aUser(client);
    const vendor_id = await user.vendor();
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, place) => [`f${place}`, 1]));
    const costs = (count: number) =>
      Array.from({ length: count }, () => ({ id: nextUuid(), vendor_id, amount: 0.1 }));
    const batch = (event: object) => ({ customer_id: user.customerId, events: [event] });

    const most = batch(anEvent({ data: fields(10_000), costs: costs(1_000) }));
    await api('submitEvents', { key: user.key, body: most }, 204);
    const more = batch(anEvent({ data: fields(10_001), costs: costs(1_001) }));
    expect(await rejection(user, more)).toEqual({
      'events[0].data': ['Expected at most 10000 entries.'],
      'events[0].costs': ['Expected at most 1000 items.'],
    });
  });

  it.each([
    { occurred_at: '2025-12-12T12:00:00.000Z', why: '34 days old', error: undefined },
    {
      occurred_at: '2025-12-12T11:59:59.999Z',
      why: 'a moment older',
      error: 'The event is before the grace period. Expected 2025-12-12T12:00:00.000Z or later',
    },
    { occurred_at: '2026-01-15T12:05:00.000Z', why: '5 minutes ahead', error: undefined },
    {
      occurred_at: '2026-01-15T12:05:00.001Z',
      why: 'a moment further',
      error:
        'The event is further in the future than accepted. Expected 2026-01-15T12:05:00.000Z or earlier',
    },
  ])('accepts an event that is $why: $error', async ({ occurred_at, error }) => {
    const user = await aUser(client);
    const events = [anEvent({ occurred_at })];
    const status = error === undefined ? 204 : 422;
    const body = { customer_id: user.customerId, events };
    const answer = await api('submitEvents', { key: user.key, body }, status);
    const shown = '; the clock of this world shows 2026-01-15T12:00:00.000Z.';
    if (error !== undefined)
      expect(answer.errors).toEqual({ 'events[0].occurred_at': [error + shown] });
  });

  it('reports all errors of a batch and stores none of it', async () => {
    const user = await aUser(client);
    const { key, customerId } = user;
    const vendorId = await user.vendor({ external_id: 'host' });
    await user.vendor({ external_id: 'other' });
    const cost = (given: object) => ({ id: nextUuid(), amount: 1, ...given });
    const twice = cost({ vendor_id: vendorId });
    const events = [
      anEvent({ costs: [twice] }),
      anEvent({ occurred_at: '2025-01-01T00:00:00Z', costs: [cost({}), twice] }),
      anEvent({
        costs: [
          cost({ vendor_id: vendorId, vendor_external_id: 'other' }),
          cost({ vendor_id: 'vnd_none' }),
          cost({ vendor_external_id: 'none', currency: 'XXQ' }),
          cost({ vendor_id: vendorId, vendor_external_id: 'host' }),
        ],
      }),
    ];
    expect(Object.keys(await rejection(user, { customer_id: customerId, events })).sort()).toEqual([
      'events[1].costs[0].vendor_id',
      'events[1].costs[1].id',
      'events[1].occurred_at',
      'events[2].costs[0].vendor_external_id',
      'events[2].costs[1].vendor_id',
      'events[2].costs[2].currency',
      'events[2].costs[2].vendor_external_id',
    ]);
    expect((await api('listEvents', { key })).total_count).toBe(0);
    expect(await user.balances()).toEqual({ 'default:USD': 0 });
  });

  it('rejects a number beyond the range of a double as too large', async () => {
    const user = await aUser(client);
    const event = JSON.stringify(anEvent({ data: { tokens: 1 } })).replace(':1}', ':-1e400}');
    const body = `{"customer_id":"${user.customerId}","events":[${event}]}`;
    const { errors } = await client.api('submitEvents', { key: user.key, body }, 422);
    expect(errors).toEqual({
      'events[0].data.tokens': ['Expected a number of a smaller magnitude.'],
    });
  });

  it('rejects more events than the limit', async () => {
    const small = createTestClient({ limits: { MAX_BATCH: 2 } });
    const user = await aUser(small);
    const body = { customer_id: user.customerId, events: [anEvent(), anEvent(), anEvent()] };
    const { errors } = await small.api('submitEvents', { key: user.key, body }, 422);
    expect(errors).toEqual({
      events: ['Expected at most 2 items in one request.'],
    });
  });
});

/** The machine shows the time at which the worlds begin. */
const punctual = createTestClient({}, { machine: () => Date.parse('2026-01-15T12:00:00Z') });

async function warningsAfter(advance: string | undefined, occurred_at: string): Promise<AnyBody[]> {
  const user = await aUser(punctual);
  if (advance) await user.advance(advance);
  const event = anEvent({ occurred_at });
  await user.submit(event);
  expect((await user.event(event.id)).fees).toHaveLength(1);
  return (await punctual.api('listWarnings', { key: user.key })).items;
}

describe('usage dated before the latest advance', () => {
  it('is billed, with a warning, if it is near the time of the machine', async () => {
    expect(await warningsAfter('P1D', '2026-01-15T12:05:00Z')).toMatchObject([
      {
        kind: 'usage_before_advance',
        level: 'warning',
        field: 'occurred_at',
        message: expect.stringContaining(
          'The clock was advanced by P1D; this usage of Acme (cust_',
        ),
      },
    ]);
  });

  it.each([
    ['farther from the time of the machine', 'P1D', '2026-01-15T12:05:01Z'],
    ['after an advance to near the time of the machine', 'PT5M', '2026-01-15T12:00:00Z'],
    ['without an advance', undefined, '2026-01-15T12:00:00Z'],
  ])('is billed without a warning %s', async (_, advance, occurred_at) => {
    expect(await warningsAfter(advance, occurred_at)).toEqual([]);
  });
});

describe('submitEvents', () => {
  it('bills usage in full even if the setting overdraft is deny', async () => {
    const user = await aUser(createTestClient({ overdraft: 'deny' }));
    await user.submit(anEvent(), anEvent());
    expect(await user.balances()).toEqual({ 'default:USD': -2 });
  });
});

/** More digits than a double holds. */
const LONG = '99999999999999.99999';
const BY_VOLUME = { usage_type: 'volume', volume_field: 'v', values: [{ volume_rate: 1 }] };

/** Sends the text of a body as it is, since JSON.stringify would round its numbers. */
async function sendText(path: string, key: string, text: string, status: number): Promise<string> {
  const response = await client.http
    .post(path)
    .set({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' })
    .send(text);
  expect(response.status).toBe(status);
  return response.text;
}

const getText = async (path: string, key: string): Promise<string> =>
  (await client.http.get(path).set({ Authorization: `Bearer ${key}` })).text;

describe('numbers in the data of usage', () => {
  it('survive an export and an import', async () => {
    const { key, customerId } = await aUser(client, { prices: [BY_VOLUME] });
    const id = nextUuid();
    const event = JSON.stringify(anEvent({ id, data: { v: 1 } })).replace(':1}', `:${LONG}}`);
    const body = `{"customer_id":"${customerId}","events":[${event}]}`;
    await sendText('/events', key, body, 204);
    const world = await getText('/_emulator/export', key);
    await client.api('resetWorld', { key, body: { to: 'empty' } });
    await sendText('/_emulator/import', key, world, 200);

    expect(await getText(`/events/${id}`, key)).toContain(`"v":${LONG}`);
  });
});

const credits = { ...CREDIT_ASSET, rates: [{ source: 'USD', rate: 0.05 }] };
const pricing = [
  { asset: 'CREDIT', values: [{ unit_price: 3 }] },
  { asset: 'USD', values: [{ unit_price: 1 }] },
];

/** A customer with 4 CREDIT and 1 USD. Each call has two fees of 3 CREDIT or 1 USD. */
async function aFundedUser(): Promise<User> {
  const user = await aUser(client, { assets: [credits], prices: [{ pricing }, { pricing }] });
  await user.credit('CREDIT', 4);
  await user.credit('USD', 1);
  return user;
}

const simulate = ({ key, productId }: User, body: object) =>
  client.send('simulateUsage', { key, path: { productId, version: 1 }, body });

describe('simulateUsage', () => {
  it('prices in the first asset without a customer', async () => {
    const user = await aFundedUser();
    const { body } = await simulate(user, { events: [anEvent()] });
    expect(body.fees).toMatchObject([
      { currency: 'CREDIT', amount: 3 },
      { currency: 'CREDIT', amount: 3 },
    ]);
    expect(body).not.toHaveProperty('warnings');
  });

  it('stores nothing, and returns the same response to the same request', async () => {
    const user = await aFundedUser();
    const request = {
      customer_id: user.customerId,
      events: [anEvent(), anEvent({ occurred_at: '2001-01-01T00:00:00Z' })],
    };
    const { requests: _, ...before } = imageOf(user.world());
    const first = await simulate(user, request);
    const second = await simulate(user, request);
    const { requests: __, ...after } = imageOf(user.world());

    expect(after).toEqual(before);
    expect(second.body).toEqual(first.body);
  });

  it.each([
    { productId: 'prp_none', field: 'productId' },
    { version: 9, field: 'version' },
    { customer_id: 'cust_none', field: 'customer_id' },
  ])('rejects an unknown $field', async ({ productId, version, customer_id, field }) => {
    const user = await aFundedUser();
    const path = { productId: productId ?? user.productId, version: version ?? 1 };
    const body = { events: [anEvent()], customer_id: customer_id ?? null };
    const { errors } = await api('simulateUsage', { key: user.key, path, body }, 422);
    expect(Object.keys(errors)).toEqual([field]);
  });

  it('rejects more events than the limit', async () => {
    const small = createTestClient({ limits: { MAX_BATCH: 1 } });
    const { key, productId } = await aUser(small);
    const path = { productId, version: 1 };
    const body = { events: [anEvent(), anEvent()] };
    const { errors } = await small.api('simulateUsage', { key, path, body }, 422);
    expect(Object.keys(errors)).toEqual(['events']);
  });
});
