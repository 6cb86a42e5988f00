import { describe, expect, it } from 'vitest';
import type { components } from '../spec/control.d.ts';
import { singularOf } from '../store/record-changes.ts';
import { createTestClient, type TestClient } from '../testing/client.ts';

type Comparison = components['schemas']['Comparison'];

const save = (client: TestClient, name: string) =>
  client.api('saveSnapshot', { body: { name } }, 201);
const compare = (client: TestClient, body: object): Promise<Comparison> =>
  client.api('compareWorlds', { body });
const before = { from: { snapshot: 'before' } };

/** The counts and listed changes of a table; undefined if nothing in it differs. */
function ofTable({ tables, changes }: Comparison, name: string) {
  const counts = tables.find(({ table }) => table === name);
  return counts && { ...counts, rows: changes.filter(({ table }) => table === name) };
}

async function report(client: TestClient, tokens: number): Promise<void> {
  const events = [
    {
      id: `68e8980c-fd79-46ea-be14-0e9f2be7d${String(tokens).padStart(3, '0')}`,
      event_type: 'llm.completion',
      occurred_at: '2026-01-15T12:00:00Z',
      data: { model: 'large', tokens: tokens * 1000 },
    },
  ];
  await client.api('submitEvents', { body: { customer_external_id: 'acme', events } }, 204);
}

describe('compareWorlds', () => {
  it('reports the events and balances that usage changed, with names and exact decimals', async () => {
    const client = createTestClient({ fixture: 'quickstart' });
    await save(client, 'before');
    await report(client, 417);
    await report(client, 1);
    const comparison = await compare(client, before);

    expect(comparison.equal).toBe(false);
    expect(ofTable(comparison, 'events')).toMatchObject({
      words: 'usage events',
      added: 2,
      removed: 0,
      changed: 0,
      rows: [
        { change: 'added', name: 'acme llm.completion 68e8980c-fd79-46ea-be14-0e9f2be7d417' },
        { change: 'added', name: 'acme llm.completion 68e8980c-fd79-46ea-be14-0e9f2be7d001' },
      ],
    });
    expect(ofTable(comparison, 'wallet_accounts')).toMatchObject({
      words: 'balances',
      rows: [
        {
          change: 'changed',
          name: 'acme default:USD',
          fields: [{ field: 'available', before: '100', after: '95.82' }],
        },
      ],
    });
    expect(ofTable(comparison, 'requests')?.rows).toMatchObject([
      { fields: [{ field: 'count', before: expect.any(Number), after: expect.any(Number) }] },
    ]);
    expect(ofTable(comparison, 'customers')).toBeUndefined();
  });

  it('reports what a new record holds, and the transaction that it caused', async () => {
    const client = createTestClient({ fixture: 'quickstart' });
    await save(client, 'before');
    await report(client, 2);
    const comparison = await compare(client, before);

    // 2,000 tokens at 10 USD per million.
    expect(ofTable(comparison, 'transactions')?.rows).toMatchObject([
      { change: 'added', words: 'ledger transactions', name: 'acme default:USD usage 0.02' },
    ]);
    expect(ofTable(comparison, 'events')?.rows[0]?.fields).toContainEqual({
      field: 'event_type',
      after: 'llm.completion',
    });
  });

  it('reports what an advance changed, from the state before it', async () => {
    const client = createTestClient({ fixture: 'quickstart' });
    const none = await client.api('compareWorlds', { body: { from: { previous: true } } }, 422);
    await client.api('advanceClock', { body: { by: 'P1D' } });
    const comparison = await compare(client, { from: { previous: true } });

    expect(Object.keys(none.errors)).toEqual(['from.previous']);
    expect(ofTable(comparison, 'clock')?.rows).toMatchObject([
      {
        fields: [
          { field: 'at', before: '2026-01-15T12:00:00.000Z', after: '2026-01-16T12:00:00.000Z' },
        ],
      },
    ]);
  });

  it('reports a changed clock, and a changed row field by field', async () => {
    const client = createTestClient();
    const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
    await save(client, 'before');
    await client.api('setClock', { body: { mode: 'frozen', now: '2026-02-01T00:00:00Z' } });
    const path = { customerId: id };
    await client.api('updateCustomer', { path, body: { name: 'Acme Robotics' } }, 204);
    const comparison = await compare(client, before);
    const back = await compare(client, {
      from: {},
      to: { snapshot: 'before' },
      ignore: ['requests'],
    });

    expect(ofTable(comparison, 'clock')?.rows).toEqual([
      {
        change: 'changed',
        table: 'clock',
        words: 'clock',
        id: 'clock',
        name: '',
        fields: [
          { field: 'at', before: '2026-01-15T12:00:00.000Z', after: '2026-02-01T00:00:00.000Z' },
        ],
        field_count: 1,
      },
    ]);
    expect(ofTable(comparison, 'customers')?.rows).toMatchObject([
      { change: 'changed', fields: [{ field: 'name', before: 'Acme', after: 'Acme Robotics' }] },
    ]);
    expect(back.tables.map(({ table }) => table)).toEqual(['clock', 'customers']);
  });

  it.each([
    [{}, 'from: This field is required.'],
    [{ from: { snapshot: 'befor' } }, 'from.snapshot: Nothing is named befor'],
    [{ from: {}, limit: 101 }, 'limit'],
    [{ from: {}, ignore: ['customer'] }, 'the nearest is customers'],
    [{ from: { snapshot: 'before', previous: true } }, 'from: Expected only one of snapshot'],
    [{ from: {}, to: [] }, 'to'],
    [{ from: {}, other: 1 }, 'other'],
  ])('rejects %j with an error that names the field', async (body, expected) => {
    const client = createTestClient();
    await save(client, 'before');
    const { errors } = await client.api('compareWorlds', { body }, 422);
    const lines = Object.entries(errors).map(([field, found]) => `${field}: ${found}`);

    expect(lines.join('\n')).toContain(expected);
  });
});

it.each([
  ['deliveries', 'delivery'],
  ['price_quantities', 'quantity by price'],
  ['requests', 'request answered'],
  ['clock', 'clock'],
])('one of %s is called %s', (table, one) => {
  expect(singularOf(table)).toBe(one);
});
