import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../../config/settings.ts';
import { openStorage } from '../../../open-emulator.ts';
import type { TestClient } from '../../../testing/client.ts';
import { eventually } from '../../../testing/eventually.ts';
import { PostgresEmulators } from '../../../testing/postgres/emulators.ts';
import { hasPostgres } from '../../../testing/postgres/server.ts';
import { RENEWAL_MS } from './leases.ts';

const KEY = 'key_test_kept';
const SHORT = { idle: '1s' };

describe.skipIf(!hasPostgres)('worlds in PostgreSQL that nobody uses', () => {
  // What an emulator looks at from time to time, and how long it had no requests.
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }),
  );
  afterEach(() => void vi.useRealTimers());
  const emulators = new PostgresEmulators();
  const { start, stop } = emulators;

  const create = ({ api }: TestClient, name: string) =>
    api('createCustomer', { key: KEY, body: { name, external_id: name } }, 201);
  const openPortal = ({ api }: TestClient, customer_id: string) => {
    const body = { customer_id, return_url: 'https://a.test/', failure_url: 'https://a.test/' };
    return api('createPortalSession', { key: KEY, body });
  };
  const hasLeft = async ({ emulator }: TestClient) => {
    vi.advanceTimersByTime(1_500);
    await eventually(() => !emulator.worlds.has(KEY));
  };

  it('are read when they are first asked for, not at the start', async () => {
    const first = await start();
    await create(first, 'ann');
    await stop(first);
    const second = await start();
    const before = second.emulator.worlds.has(KEY);
    const { items } = await second.api('listCustomers', { key: KEY });

    expect(before).toBe(false);
    expect(items).toMatchObject([{ name: 'ann' }]);
  });

  it('leave the memory, are listed meanwhile, and come back as they were', async () => {
    const client = await start(SHORT);
    await create(client, 'ann');
    const exported = await client.api('exportWorld', { key: KEY });
    await hasLeft(client);
    const isHeld = `SELECT 1 FROM ${emulators.schema}.worlds WHERE key = '${KEY}' AND holder IS NOT NULL`;
    await eventually(async () => (await emulators.postgres.query(isHeld)).length === 0);
    const { items } = await client.api('listSandboxes');
    const again = await client.api('exportWorld', { key: KEY });

    const kept = items.find(({ name }: { name: string }) => name === 'kept');
    expect(kept.worlds).toMatchObject([
      { sandbox: 'kept', environment: 'test', mode: 'frozen', records: { customers: 1 } },
    ]);
    expect(again).toEqual({ ...exported, requests: again.requests });
  });

  it('are copied and deleted as if they were in memory', async () => {
    const client = await start(SHORT);
    await create(client, 'ann');
    await hasLeft(client);
    const body = { name: 'copy', sandbox: 'kept' };
    const copy = await client.api('createSandbox', { body }, 201);
    await hasLeft(client);
    await client.api('deleteSandbox', { query: { name: 'kept' } }, 204);
    const { items } = await client.api('listCustomers', { key: KEY });

    expect(copy.worlds).toMatchObject([{ records: { customers: 1 } }]);
    expect(items).toEqual([]);
  });

  it('are read for the hosted page of a link, which has no key', async () => {
    const client = await start(SHORT);
    const { id } = await create(client, 'ann');
    const session = await openPortal(client, id);
    await hasLeft(client);
    const { pathname } = new URL(session.redirect_url);
    const opened = await client.http.get(pathname);
    const unknown = await client.http.get(`${pathname.slice(0, -8)}00000000`);

    expect(opened.status).toBe(303);
    expect(unknown.status).toBe(404);
  });

  it('are read for a message to an inbox that is a destination of theirs, which has no key', async () => {
    const client = await start(SHORT);
    const url = 'http://127.0.0.1:24100/_emulator/inbox/orders';
    await client.api('createWebhook', { key: KEY, body: { url } }, 201);
    await hasLeft(client);
    await client.http.post('/_emulator/inbox/others').send('{}').expect(204);
    const before = client.emulator.worlds.has(KEY);
    await client.http.post('/_emulator/inbox/orders').send('{}').expect(204);
    const { body } = await client.http.get('/_emulator/inbox/orders');

    expect(before).toBe(false);
    expect(client.emulator.worlds.has(KEY)).toBe(true);
    expect(body.total_count).toBe(1);
  });

  it('stay while something of them is due soon, and are read when it is due', async () => {
    const clock = { clock: 'real' };
    const first = await start(clock);
    await create(first, 'ann');
    const { id } = await create(first, 'bob');
    await openPortal(first, id);
    await stop(first);
    const [row] = await emulators.postgres.query(
      `SELECT due > now() + interval '9 minutes' AS later FROM ${emulators.schema}.worlds WHERE key = '${KEY}'`,
    );
    const second = await start(clock);
    const before = second.emulator.worlds.has(KEY);
    await emulators.postgres.query(`UPDATE ${emulators.schema}.worlds SET due = now()`);
    vi.advanceTimersByTime(RENEWAL_MS);
    await eventually(() => second.emulator.worlds.has(KEY));

    expect(row).toEqual({ later: true });
    expect(before).toBe(false);
  });

  it('go on no earlier than their last change, on a machine whose clock is behind', async () => {
    const day = 86_400_000;
    const settings = { clock: 'real' };
    const first = await start(settings);
    await create(first, 'ann');
    const { now: before } = await first.api('getClock', { key: KEY });
    await stop(first);
    const second = await start(settings, () => Date.now() - day);
    const { now: after } = await second.api('getClock', { key: KEY });

    expect(Date.parse(after)).toBeGreaterThanOrEqual(Date.parse(before));
  });

  it('have their snapshots from the rows of that moment, and get them back with their sandbox', async () => {
    const first = await start();
    await Promise.all([create(first, 'ann'), create(first, 'bob')]);
    await first.api('saveSnapshot', { key: KEY, body: { name: 'two' } }, 201);
    await create(first, 'cid');
    await first.api('deleteSandbox', { query: { name: 'kept' } }, 204);
    await first.api('resetWorld', { key: KEY, body: { to: 'previous' } });
    await stop(first);
    const second = await start();
    const { total_count: all } = await second.api('listCustomers', { key: KEY });
    const to = { to: 'snapshot', name: 'two' };
    const { records } = await second.api('resetWorld', { key: KEY, body: to });

    expect([all, records.customers]).toEqual([3, 2]);
  });

  it('that a start has claimed which then failed are read by the next one at once', async () => {
    const { postgres, schema, data } = emulators;
    const first = await start();
    await create(first, 'ann');
    await stop(first);
    await postgres.query(`UPDATE ${schema}.worlds SET holder = 'gone', lease = now()`);
    const settings = readSettings({ data });
    const quiet = { error: () => {}, info: () => {} };
    const failed = await openStorage(settings, quiet);
    const claimed = failed.keys;
    await failed.release();
    const next = await start();

    expect(claimed).toEqual([KEY]);
    expect(next.emulator.worlds.has(KEY)).toBe(true);
  });
});
