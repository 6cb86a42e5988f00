import { beforeEach, describe, expect, it } from 'vitest';
import { expandFolders } from '../../fixtures/fixture-file.ts';
import {
  type AnyBody,
  asNewAccount,
  createTestClient,
  type TestClient,
} from '../../testing/client.ts';
import { worldCalls } from '../../testing/worlds.ts';

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

const { api, exported, names, textOf } = worldCalls(() => client);

type Rows = readonly AnyBody[];

function change(world: AnyBody, table: string, spoil: (rows: Rows) => Rows): AnyBody {
  return { ...world, tables: { ...world.tables, [table]: spoil(world.tables[table] ?? []) } };
}

describe('exportWorld and importWorld', () => {
  it.each(expandFolders(['fixtures']))(
    'reproduce the export of fixture %s byte for byte',
    async (fixture) => {
      client = createTestClient({ fixture });
      await api('getClock');
      const { worlds, dispatcher } = client.emulator;
      for (const world of worlds.values()) await dispatcher.idle(world);
      const text = await textOf();
      await api('resetWorld', { body: { to: 'empty' } });
      await api('importWorld', { body: JSON.parse(text) });

      expect(await textOf()).toBe(text);
    },
  );

  it('export the records of that account alone with the account header', async () => {
    client = createTestClient({ fixture: 'quickstart' });
    const headers = await asNewAccount(client.api);
    await client.api('createCustomer', { body: { name: 'Guest' }, headers }, 201);
    const { tables } = await client.api('exportWorld', { headers });

    expect(Object.keys(tables)).toEqual(['accounts', 'customers']);
    expect(tables.accounts.map((row: AnyBody) => row.id)).toEqual([headers['X-Service-Account']]);
    expect(tables.customers.map((row: AnyBody) => row.name)).toEqual(['Guest']);
  });

  it('show the records of an export of the same world under another seed', async () => {
    client = createTestClient({ fixture: 'quickstart', seed: 'another' });
    const [body, known] = [await exported(), await names()];
    client = createTestClient();
    await api('importWorld', { body });

    expect(await names()).toEqual(known);
  });

  it.each<[string, (world: AnyBody) => unknown, string]>([
    ['another format', (world) => ({ ...world, format: 'zip' }), 'format'],
    ['a newer release', (world) => ({ ...world, schema_version: 99 }), 'schema_version'],
    ['an unknown field', (world) => ({ ...world, colour: 'red' }), 'colour'],
    ['an unknown table', (world) => change(world, 'colours', () => []), 'tables.colours'],
    [
      'a table named like a part of every object',
      (world) => ({ ...world, tables: JSON.parse('{"__proto__": [{}]}') }),
      'tables.__proto__',
    ],
    [
      'a record without a field',
      (world) => change(world, 'customers', ([{ name: _, ...row }]) => [row]),
      'tables.customers[0].name',
    ],
    [
      'a field that no record has',
      (world) => change(world, 'customers', ([row]) => [{ ...row, colour: 'red' }]),
      'tables.customers[0].colour',
    ],
    [
      'an amount that is not a number',
      (world) => change(world, 'wallet_accounts', ([row]) => [{ ...row, available: 'much' }]),
      'tables.wallet_accounts[0].available',
    ],
    [
      'an amount with so many digits that its sums would take minutes',
      (world) =>
        change(world, 'wallet_accounts', ([row]) => [{ ...row, available: '9'.repeat(1_001) }]),
      'tables.wallet_accounts[0].available',
    ],
    [
      'an entitlement that lasts less than no time, whose refreshes would never end',
      (world) =>
        change(world, 'versions', (rows) =>
          JSON.parse(
            JSON.stringify(rows).replaceAll('"lifecycle":{', '"lifecycle":{"duration_count":-5,'),
          ),
        ),
      'lifecycle.duration_count',
    ],
    [
      'an asset of endless precision',
      (world) => change(world, 'assets', ([row]) => [{ ...row, precision: 1e9 }]),
      'tables.assets[0].precision',
    ],
    [
      'a fee in something that is no asset',
      (world) =>
        change(world, 'events', (rows) => rows.map((row) => ({ ...row, fee_currency: 'x' }))),
      'tables.events[0].fee_currency',
    ],
    [
      'half a package',
      (world) =>
        JSON.parse(
          JSON.stringify(world).replaceAll('"package_size":1000000', '"package_size":0.5'),
        ),
      'package_size',
    ],
    ['costs of a missing vendor', (world) => change(world, 'vendors', () => []), 'events: '],
    ['costs without their ids', (world) => change(world, 'cost_claims', () => []), 'events: '],
    [
      'an id given twice',
      (world) => change(world, 'vendors', ([row]) => [row, row]),
      'tables.vendors[1].id',
    ],
    [
      'records beyond the last number of the order',
      (world) => ({ ...world, sequence: 1 }),
      'tables.',
    ],
    [
      'a frozen clock without an instant',
      (world) => ({ ...world, clock: { mode: 'frozen' } }),
      'clock',
    ],
    [
      'a clock before 1970',
      (world) => ({ ...world, clock: { mode: 'frozen', at: '0000-01-01T00:00:00Z' } }),
      'clock.at',
    ],
    [
      'a balance that the ledger does not come to',
      (world) =>
        change(world, 'wallet_accounts', ([row, ...rest]) => [
          { ...row, available: '1000000' },
          ...rest,
        ]),
      'ledger: ',
    ],
    ['customers that are missing', (world) => change(world, 'customers', () => []), 'events: '],
    ['products that are missing', (world) => change(world, 'products', () => []), 'versions: '],
    [
      'a product without its newest version',
      (world) => change(world, 'products', ([row]) => [{ ...row, newest_version: 9 }]),
      'products: ',
    ],
    [
      'an id that differs from its fields',
      (world) => change(world, 'assets', ([row]) => [{ ...row, id: 'credit' }]),
      'assets: credit',
    ],
    [
      'versions that are missing',
      (world) => change(world, 'versions', () => []),
      'subscriptions: ',
    ],
    [
      'an unknown owner',
      (world) => change(world, 'vendors', ([row]) => [{ ...row, owner: 'acc_nobody' }]),
      'vendors: ',
    ],
    ['no counters of ids', (world) => change(world, 'ordinals', () => []), 'ordinals: '],
  ])('reject %s and change nothing', async (_, spoil, field) => {
    client = createTestClient({ fixture: 'quickstart' });
    const before = await textOf();
    const body = spoil(JSON.parse(before)) as object;
    const { errors } = await api('importWorld', { body }, 422);

    expect(Object.keys(errors).join('\n')).toContain(field);
    expect(await textOf()).toBe(before);
  });
});
