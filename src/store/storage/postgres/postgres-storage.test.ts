import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../../config/settings.ts';
import { anEvent, nextUuid } from '../../../testing/catalog.ts';
import type { TestClient } from '../../../testing/client.ts';
import { eventually } from '../../../testing/eventually.ts';
import { PostgresEmulators } from '../../../testing/postgres/emulators.ts';
import { hasPostgres } from '../../../testing/postgres/server.ts';
import { aUser } from '../../../testing/story.ts';
import { RENEWAL_MS } from './leases.ts';
import { examineDatabase } from './schema.ts';

const KEY = 'key_test_kept';
const page = readFileSync(new URL('../../../../docs/data.md', import.meta.url), 'utf8');
const QUERIES = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query = '']) => query);

describe.skipIf(!hasPostgres)('worlds in PostgreSQL', () => {
  afterEach(() => void vi.useRealTimers());
  const emulators = new PostgresEmulators();
  const { start, stop } = emulators;
  /** Leaves an emulator as a kill would: its claims stay until they run out, which the database is told is now. */
  const abandon = () =>
    emulators.postgres.query(
      `UPDATE ${emulators.schema}.worlds SET lease = now() - interval '1 s'`,
    );

  const create = ({ api }: TestClient, name: string, status = 201) =>
    api('createVendor', { key: KEY, body: { name } }, status);
  async function names({ api }: TestClient): Promise<string[]> {
    const { items } = await api('listVendors', { key: KEY });
    return items.map((vendor: { name: string }) => vendor.name);
  }

  it('keep snapshots, initial states and the times to live of sandboxes', async () => {
    const first = await start();
    await create(first, 'one');
    await first.api('saveSnapshot', { key: KEY, body: { name: 'saved' } }, 201);
    const made = { name: 'copy', snapshot: 'saved', time_to_live: 'PT1H' };
    await first.api('createSandbox', { key: KEY, body: made }, 201);
    await create(first, 'two');
    await first.api('saveSnapshot', { key: KEY, body: { name: 'other' } }, 201);
    await first.api('deleteSnapshot', { key: KEY, path: { name: 'other' } }, 204);
    await stop(first);
    const second = await start();
    const copy = await second.api('resetWorld', { key: 'key_test_copy', body: {} });
    const { items } = await second.api('listSnapshots', { key: KEY });
    const restored = await second.api('resetWorld', {
      key: KEY,
      body: { to: 'snapshot', name: 'saved' },
    });
    const sandboxes = await second.api('listSandboxes', { key: KEY });

    expect([copy.records.vendors, restored.records.vendors]).toEqual([1, 1]);
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['saved']);
    expect(sandboxes.items).toMatchObject([
      { name: 'copy', closes_at: expect.any(String) },
      { name: 'kept', closes_at: null },
    ]);
  });

  it('are gone after their sandbox was deleted, with their records', async () => {
    const first = await start();
    await create(first, 'one');
    await first.api('deleteSandbox', { query: { name: 'kept' } }, 204);
    const rows = await emulators.postgres.query(
      `SELECT 1 FROM ${emulators.schema}.records WHERE world = '${KEY}'`,
    );
    await stop(first);
    const second = await start();

    expect(rows).toEqual([]);
    expect(await names(second)).toEqual([]);
  });

  it('hold texts with every kind of character', async () => {
    const first = await start();
    const name = 'a\tb\nc \u2028 \\ " \' {} , ü 😀';
    await create(first, name);
    const customer = { name: 'Odd', external_id: 'x\n\\"\\u0000,{y}' };
    await first.api('createCustomer', { key: KEY, body: customer }, 201);
    await stop(first);
    const second = await start();

    expect(await names(second)).toEqual([name]);
  });

  it('belong to one emulator: another answers 503 and names it, until the lease has run out', async () => {
    const first = await start();
    await create(first, 'one');
    const second = await start();
    const { text, status, headers } = await second.send('listVendors', { key: KEY });
    await abandon();
    const taken = await names(second);
    await create(second, 'two');

    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(text).toMatch(/This world is held by another emulator, .*process \d+/);
    expect(taken).toEqual(['one']);
    // The first one still has the world in memory, and is fenced.
    await create(first, 'late', 503);
    expect(await names(second)).toEqual(['two', 'one']);
    expect(emulators.logged).toContainEqual(
      expect.stringContaining('was claimed by another emulator'),
    );
  });

  it('are taken over when their emulator has been killed, without a request to them', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const [first, second] = [await start(), await start()];
    await create(first, 'one');
    await stop(first);
    await emulators.postgres.query(
      `UPDATE ${emulators.schema}.worlds SET holder = 'gone', lease = now()`,
    );
    vi.advanceTimersByTime(RENEWAL_MS);
    await eventually(() => second.emulator.worlds.has(KEY));

    expect(await names(second)).toEqual(['one']);
  });

  it('answer writes with 503 while the database is down, reads go on, and a retry finds what was done', async () => {
    const first = await start();
    const event = {
      id: nextUuid(),
      event_type: 'call',
      occurred_at: '2026-01-15T11:00:00.000Z',
      data: {},
    };
    await first.api(
      'createCustomer',
      { key: KEY, body: { name: 'Acme', external_id: 'acme' } },
      201,
    );
    const submit = () =>
      first.send('submitEvents', {
        key: KEY,
        body: { customer_external_id: 'acme', events: [event] },
      });
    const down = await emulators.postgres.restart(async () => {
      await first.api('listCustomers', { key: KEY });
      await first.api('createVendor', { key: 'key_test_other', body: { name: 'x' } }, 503);
      return submit();
    });
    const retried = await eventually(async () => {
      const answer = await submit();
      return answer.status !== 503 && answer;
    });
    const { total_count } = await first.api('listEvents', { key: KEY });

    expect([down.status, down.headers['retry-after']]).toEqual([503, '1']);
    expect(down.text).not.toContain('password');
    expect([retried.status, total_count]).toEqual([204, 1]);
  });

  it('are described by doctor: how many there are, who holds them, and what is wrong', async () => {
    const settings = readSettings({ data: emulators.data });
    const before = await examineDatabase(settings);
    const first = await start();
    await create(first, 'one');
    const meanwhile = await examineDatabase(settings);
    await stop(first);
    await emulators.postgres.query('CREATE ROLE guest LOGIN');
    const guest = emulators.data.replace('//postgres@', '//guest:geheim@');

    expect(before).toMatch(
      /^postgres:\/\/postgres@.* \(PostgreSQL 17\.\d+\), schema worlds_\d+: not made yet$/,
    );
    expect(meanwhile).toMatch(/: worlds: 1 held by .*process \d+/);
    expect(await examineDatabase(settings)).toMatch(/: worlds: 1 free$/);
    await expect(examineDatabase({ ...settings, data: guest })).rejects.toThrow(
      /^postgres:\/\/guest@.*: The user may not use the schema worlds_\d+, or make tables in it\.$/,
    );
    const other = guest.replace(emulators.schema, 'other');
    await expect(examineDatabase({ ...settings, data: other })).rejects.toThrow(
      'The user may not make the schema other.',
    );
    const wrong = guest.replace(emulators.schema, 'Other');
    await expect(examineDatabase({ ...settings, data: wrong })).rejects.toThrow(
      'Setting data: expected as schema a name of lower-case letters, digits and underscores, got Other.',
    );
  });

  it('refuse other settings by which records are made, and say which', async () => {
    await stop(await start());

    await expect(start({ seed: 'another' })).rejects.toThrow(
      /made with other settings: seed was billing-emulator when it was made, and is another/,
    );
  });

  it('refuse a schema of a newer release', async () => {
    await stop(await start());
    await emulators.postgres.query(
      `UPDATE ${emulators.schema}.about SET about = (about::jsonb || '{"version": 99}')::json`,
    );

    await expect(start()).rejects.toThrow('was made by a newer release (99, known up to 1)');
  });

  it('name the database without its password where it cannot be reached or used', async () => {
    const url = new URL(emulators.postgres.url);
    const nowhere = `postgres://me:geheim@127.0.0.1:1${url.pathname}`;
    const error = await start({ data: nowhere }).catch((thrown: Error) => thrown);

    expect(String(error)).toMatch(/postgres:\/\/me@127\.0\.0\.1:1\/postgres: .*ECONNREFUSED/);
    expect(String(error)).not.toContain('geheim');
  });

  it('answer the queries of the documentation: balances, usage and who holds a world', async () => {
    const client = await emulators.start();
    const user = await aUser(client, { prices: [{ values: [{ unit_price: 0.25 }] }] });
    await user.credit('USD', 10);
    await user.submit(anEvent(), anEvent());
    const shown = await Promise.all(
      QUERIES.map((query) =>
        emulators.postgres.query(query.replaceAll('billing_emulator.', `${emulators.schema}.`)),
      ),
    );

    expect(shown).toEqual([
      [{ sandbox: expect.any(String), customer: user.customerId, asset: 'USD', available: '9.5' }],
      [{ world: expect.any(String), customer: user.customerId, events: '2' }],
      [
        {
          key: expect.any(String),
          holder: expect.stringContaining('process'),
          is_held: true,
          records: expect.any(String),
        },
      ],
    ]);
  });
});
