import { beforeAll, describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser, type User } from '../../testing/customer.ts';
import { anEvent, nextUuid } from '../../testing/usage.ts';

const client = createTestClient();
const { api } = client;

describe('getTask', () => {
  it('returns the events in order of occurrence, and the costs of each vendor', async () => {
    const user = await aUser(client, { customer: { external_id: 'acme' } });
    const { key, customerId } = user;
    const host = await api('createVendor', { key, body: { name: 'Host', external_id: 'h' } }, 201);
    const other = await api('createVendor', { key, body: { name: 'Other' } }, 201);
    const cost = (vendor_id: string, amount: number) => ({ id: nextUuid(), vendor_id, amount });
    const later = anEvent({
      occurred_at: '2026-01-12T00:00:00Z',
      subject: 'chat: 7',
      costs: [cost(host.id, 0.125), cost(other.id, 0.25)],
    });
    const first = anEvent({
      occurred_at: '2026-01-11T00:00:00Z',
      subject: 'chat: 7',
      costs: [cost(host.id, 0.5)],
    });
    const apart = anEvent({ occurred_at: '2026-01-13T00:00:00Z' });
    await user.submit(later, apart);
    await user.submit(first);

    const taskId = `${customerId}:chat: 7`;
    const task = await api('getTask', { key, path: { taskId } }, 200);
    expect(task).toEqual({
      id: taskId,
      customer: { id: customerId, external_id: 'acme', name: 'Acme' },
      subject: 'chat: 7',
      event_count: 2,
      created_at: '2026-01-11T00:00:00.000Z',
      last_updated_at: '2026-01-12T00:00:00.000Z',
      stats: {
        gross_revenue: 2,
        total_costs: 0.875,
        net_revenue: 1.125,
        margin: 0.5625,
        currency: 'USD',
      },
      events: [await user.event(first.id), await user.event(later.id)],
      vendors: [
        {
          vendor: { id: host.id, external_id: 'h', name: 'Host' },
          total_costs: 0.625,
          currency: 'USD',
        },
        {
          vendor: { id: other.id, external_id: null, name: 'Other' },
          total_costs: 0.25,
          currency: 'USD',
        },
      ],
    });
  });
});

describe('listTasks', () => {
  let user: User;

  beforeAll(async () => {
    user = await aUser(client, { customer: { external_id: 'acme' } });
    const { key } = user;
    const body = { name: 'Other', external_id: 'other' };
    const { id } = await api('createCustomer', { key, body }, 201);
    const on = (day: string, subject: string) =>
      anEvent({ occurred_at: `2026-01-${day}T12:00:00Z`, subject });
    // Task a lasts from the 2nd to the 9th, b from the 5th to the 6th; c is only on the 7th.
    await user.submit(on('05', 'b'), on('02', 'a'), on('07', 'c'));
    await user.submit(on('09', 'a'), on('06', 'b'));
    const events = [on('08', 'a')];
    await api('submitEvents', { key, body: { customer_id: id, events } }, 204);
  });

  it.each([
    { query: {}, found: 'acme a, other a, acme c, acme b' },
    { query: { sort: 'created_at' }, found: 'other a, acme c, acme b, acme a' },
    { query: { customer_external_id: 'acme' }, found: 'acme a, acme c, acme b' },
    {
      query: { customer_external_id: 'acme', sort: 'created_at' },
      found: 'acme c, acme b, acme a',
    },
    { query: { customer_id: 'cust_none' }, found: '' },
    { query: { subject: 'a' }, found: 'acme a, other a' },
    { query: { subject: 'a', customer_external_id: 'other' }, found: 'other a' },
    { query: { last_updated_from: '2026-01-08' }, found: 'acme a, other a' },
    {
      query: { last_updated_from: '2026-01-06', last_updated_to: '2026-01-07' },
      found: 'acme c, acme b',
    },
    { query: { created_to: '2026-01-05' }, found: 'acme a, acme b' },
    { query: { created_from: '2026-01-05', last_updated_to: '2026-01-06' }, found: 'acme b' },
    { query: { limit: 1, offset: 1 }, found: 'other a' },
  ])('returns $found for $query', async ({ query, found }) => {
    const { items } = await api('listTasks', { key: user.key, query }, 200);
    const names = items.map(
      ({ customer, subject }: AnyBody) => `${customer.external_id} ${subject}`,
    );
    expect(names.join(', ')).toBe(found);
  });

  it('returns the number of events and the sum of their stats', async () => {
    const query = { limit: 1 };
    const { items } = await api('listTasks', { key: user.key, query }, 200);
    expect(items).toMatchObject([{ event_count: 2, stats: { gross_revenue: 2, margin: 1 } }]);
  });

  it.each(['last_updated', 'created'])(
    'returns 400 for a %s period that ends before it starts',
    async (name) => {
      const query = { [`${name}_from`]: '2026-01-02', [`${name}_to`]: '2026-01-01' };
      const { detail } = await api('listTasks', { key: user.key, query }, 400);
      expect(detail).toContain(`${name}_to`);
    },
  );
});
