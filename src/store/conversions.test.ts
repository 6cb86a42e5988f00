import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient, type TestClient } from '../testing/client.ts';
import { newFolder } from '../testing/setups/new-folder.ts';
import { nextUuid } from '../testing/usage.ts';
import { convertTables, SCHEMA_VERSION } from './conversions.ts';
import { runToEnd } from './resumable.ts';
import { refuseFlaw } from './storage/data-error.ts';
import { openPersistence } from './storage/open-persistence.ts';
import { readData } from './storage/read-data.ts';
import type { World } from './world.ts';

const RELEASE = new URL('testdata/release-0.1.0/', import.meta.url);
const readRelease = (name: string) => readFile(new URL(name, RELEASE), 'utf8');
const KEY = 'key_test_emulator';
const CUSTOMER = 'cust_5byfpt4mqnpaetf7mhtvx5rtc3';

let folder: string;
beforeEach(async () => {
  folder = newFolder();
});

/** The top-ups, transactions and accounts of the converted world, as the API returns them. */
async function lookAt(client: TestClient): Promise<AnyBody> {
  const topUps = [...(client.emulator.worlds.find(KEY) as World).tables.top_ups.values()].map(
    ({ id }) => id,
  );
  const shown = topUps.map((topUpId) => client.api('getTopUp', { path: { topUpId } }, 200));
  const { items } = await client.control('listLedgerTransactions', {}, 200);
  const path = { customerId: CUSTOMER };
  const { sound } = await client.control('verifyLedger', {}, 200);
  return {
    topUps: (await Promise.all(shown)).map(({ status }) => status),
    transactions: items.map(({ type, source, amount }: AnyBody) => [type, source, amount]),
    accounts: (await client.api('getWallet', { path }, 200)).accounts,
    sound,
  };
}

const LEFT = {
  topUps: ['succeeded', 'pending'],
  transactions: [
    ['adjustment', 'expiry', -5],
    ['adjustment', 'top_up', 400],
    ['adjustment', 'adjustment', 2],
    ['fee', 'charge', -1],
    ['fee', 'usage', -4],
    ['adjustment', 'entitlement', 10],
  ],
  accounts: [{ id: 'default:CREDIT', name: 'default', asset: 'CREDIT', available: 402 }],
  sound: true,
};

describe('data of release 0.1.0', () => {
  it('opens as a data file with its snapshots, and a copy of the original file is kept', async () => {
    const file = join(folder, 'data.json');
    await copyFile(new URL('data.json', RELEASE), file);
    const told: string[] = [];
    const log = { info: (line: string) => told.push(line), error: () => {} };
    const data = await openPersistence(
      { data: file, data_mode: 'on-exit', reporting_currency: 'USD' },
      log,
    );
    const client = createTestClient({ fixture: '' }, { data });

    expect(await lookAt(client)).toEqual(LEFT);
    await client.api('createVendor', { body: { name: 'Later' } }, 201);
    await client.control('restoreSnapshot', { path: { name: 'before' } }, 200);
    expect(await lookAt(client)).toEqual(LEFT);

    await client.emulator.close();
    expect(await readFile(`${file}.schema-1`, 'utf8')).toBe(await readRelease('data.json'));
    expect((await readData(file, refuseFlaw)).schema_version).toBe(SCHEMA_VERSION);
    expect(told).toEqual([expect.stringContaining('schema-1 keeps it')]);
  });

  it('imports from a world export', async () => {
    const client = createTestClient({ fixture: '' });
    const body = JSON.parse(await readRelease('world.json'));
    await client.control('importWorld', { body }, 200);

    expect(await lookAt(client)).toEqual(LEFT);
    // 2 of the free adjustment, and 40 of the 400 that were bought for 20 USD.
    const path = { customerId: CUSTOMER };
    const charge = { transaction_id: nextUuid(), asset: 'CREDIT', amount: 42 };
    await client.api('chargeWallet', { path, body: charge }, 201);
    expect((await client.api('getCustomerStats', { path }, 200)).gross_revenue).toBe(2);
    expect(await client.control('verifyLedger', {}, 200)).toMatchObject({ sound: true });
  });
});

describe('convertTables', () => {
  it('renames the disturbances of deliveries to faults and drops the disturbances table', () => {
    const exchange = { cause: 'first', disturbances: ['drop'] };
    const delivery = { id: 'dlv_1', seq: 1, disturbances: ['swap'], exchanges: [exchange] };
    const tables = { deliveries: [delivery], disturbances: [{ id: 'dsb_1', seq: 2 }] };

    expect(runToEnd(convertTables(tables, 1, 'USD'))).toEqual({
      deliveries: [
        {
          id: 'dlv_1',
          seq: 1,
          faults: ['swap'],
          exchanges: [{ cause: 'first', faults: ['drop'] }],
        },
      ],
    });
  });

  it('drops the amount of a transaction, which its postings state', () => {
    const postings = [{ from: 'wallet', to: 'revenue', amount: '4' }];
    const tables = { transactions: [{ id: 'a', seq: 1, amount: '-4', postings }] };

    expect(runToEnd(convertTables(tables, 2, 'USD'))).toEqual({
      transactions: [{ id: 'a', seq: 1, postings }],
    });
  });

  it('drops the subscription from the terms of a fee, as the products of its event name it', () => {
    const billed_by = [{ id: 'prp_1', code: 'plan', version: 1, subscription_id: 'sub_1' }];
    const terms = { product_id: 'prp_1', price_name: 'Calls' };
    const fee = { id: 'fee_1', terms: { ...terms, subscription_id: 'sub_1' }, amount: '4' };
    const event = { id: 'a', seq: 1, billed_by, fees: [fee] };

    expect(runToEnd(convertTables({ events: [event] }, 3, 'USD'))).toEqual({
      events: [{ ...event, fees: [{ ...fee, terms }] }],
    });
  });

  it('does not change data of the current schema, or rows of unknown shape', () => {
    const events = [null, { fees: null }, { fees: [null] }];
    const tables = { top_ups: [null, { status: 'odd' }], events, other: [{}] } as never;

    expect(runToEnd(convertTables(tables, SCHEMA_VERSION, 'USD'))).toEqual(tables);
    expect(runToEnd(convertTables(tables, 1, 'USD'))).toEqual(tables);
  });
});
