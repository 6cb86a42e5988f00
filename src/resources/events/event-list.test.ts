import { beforeAll, describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser, type User } from '../../testing/customer.ts';
import { anEvent } from '../../testing/usage.ts';

const client = createTestClient();
const { api } = client;

describe('listEvents', () => {
  let user: User;
  let otherId: string;
  const [a, b, c, d] = [
    anEvent({ occurred_at: '2026-01-10T00:00:00.000Z', subject: 'chat' }),
    anEvent({ occurred_at: '2026-01-12T23:59:59.999Z', event_type: 'free' }),
    anEvent({ occurred_at: '2026-01-11T12:00:00.000Z', subject: 'chat' }),
    anEvent({ occurred_at: '2026-01-13T00:00:00.000Z', subject: 'chat' }),
  ];
  const names = new Map([a, b, c, d].map(({ id }, place) => [id, 'abcd'[place]]));

  beforeAll(async () => {
    user = await aUser(client, { customer: { external_id: 'acme' } });
    const { key } = user;
    otherId = (await api('createCustomer', { key, body: { name: 'Other' } }, 201)).id;
    await user.submit(a, b);
    await user.submit(c);
    await api('submitEvents', { key, body: { customer_id: otherId, events: [d] } }, 204);
  });

  it.each([
    { query: {}, found: 'dcba' },
    { query: { event_id: b.id }, found: 'b' },
    { query: { event_id: '00000000-0000-4000-8000-ffffffffffff' }, found: '' },
    { query: { customer_external_id: 'acme' }, found: 'cba' },
    { query: { customer_external_id: 'nobody' }, found: '' },
    { query: { customer_id: 'cust_none' }, found: '' },
    { query: { customer_external_id: 'acme', event_id: d.id }, found: '' },
    { query: { subject: 'chat' }, found: 'dca' },
    { query: { subject: 'chat', customer_external_id: 'acme' }, found: 'ca' },
    { query: { subject: 'Chat' }, found: '' },
    { query: { period_from: '2026-01-11' }, found: 'dcb' },
    { query: { period_to: '2026-01-12' }, found: 'cba' },
    { query: { period_from: '2026-01-11', period_to: '2026-01-11' }, found: 'c' },
    { query: { event_types: 'free' }, found: 'b' },
    { query: { event_types: 'free,call' }, found: 'dcba' },
    { query: { event_types: 'none' }, found: '' },
    { query: { has_fees: true }, found: 'ca' },
    { query: { has_fees: false }, found: 'db' },
    { query: { has_fees: false, subject: 'chat' }, found: 'd' },
    { query: { limit: 2, offset: 1 }, found: 'cb', count: 4 },
    { query: { limit: 1, has_fees: true, offset: 1 }, found: 'a', count: 2 },
    { query: { offset: 9 }, found: '', count: 4 },
  ])('returns $found for $query, newest submission first', async ({ query, found, count }) => {
    const page = await api('listEvents', { key: user.key, query }, 200);
    expect(page.items.map(({ id }: AnyBody) => names.get(id)).join('')).toBe(found);
    expect(page.total_count).toBe(count ?? found.length);
  });

  it('returns nothing if the two customer ids are of different customers', async () => {
    const query = { customer_id: otherId, customer_external_id: 'acme' };
    expect((await api('listEvents', { key: user.key, query }, 200)).items).toEqual([]);
  });

  it('returns an event with its fees and stats', async () => {
    const { items } = await api('listEvents', { key: user.key, query: { event_id: a.id } }, 200);
    expect(items).toEqual([
      {
        id: a.id,
        customer_id: user.customerId,
        external_id: 'acme',
        event_type: 'call',
        occurred_at: '2026-01-10T00:00:00.000Z',
        created_at: '2026-01-15T12:00:00.000Z',
        subject: 'chat',
        has_fees: true,
        total_fees: 1,
        fee_currency: 'USD',
        stats: {
          gross_revenue: 1,
          total_costs: 0,
          net_revenue: 1,
          margin: 1,
          currency: 'USD',
        },
      },
    ]);
  });

  it('returns 400 for a period that ends before it starts', async () => {
    const query = { period_from: '2026-01-02', period_to: '2026-01-01' };
    const { detail } = await api('listEvents', { key: user.key, query }, 400);
    expect(detail).toContain('period_to');
  });
});

describe('getEvent', () => {
  it('returns 404 for an unknown id', async () => {
    await api('getEvent', { path: { eventId: 'none' } }, 404);
  });
});
