import { readFile, readlink, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import supertest from 'supertest';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GivenSettings } from '../../config/settings.ts';
import { createEmulator } from '../../emulator.ts';
import { newFolder } from '../../testing/setups/new-folder.ts';
import type { Row } from '../row.ts';
import type { World } from '../world.ts';
import { refuseFlaw } from './data-error.ts';
import { openPersistence } from './open-persistence.ts';
import { readData } from './read-data.ts';

const KEY = 'key_test_kept';
let folder: string;
let file: string;
let told: string[];

beforeEach(async () => {
  folder = newFolder();
  file = join(folder, 'data.json');
  told = [];
});

async function start(
  data_mode: 'on-exit' | 'interval' | 'on-commit' = 'on-exit',
  more: GivenSettings = {},
) {
  const settings = {
    fixture: '',
    log_level: 'silent',
    reporting_currency: 'USD',
    data: file,
    data_mode,
    ...more,
  } as const;
  const data = await openPersistence(settings, {
    error: (line) => told.push(line),
    info: (line) => told.push(line),
  });
  const emulator = createEmulator({ settings, data });
  const http = supertest(emulator.handle);
  const authorized = { Authorization: `Bearer ${KEY}` };
  return {
    emulator,
    data,
    http,
    authorized,
    create: (name: string) => http.post('/vendors').set(authorized).send({ name }),
    async names(): Promise<string[]> {
      const { body } = await http.get('/vendors?limit=1000').set(authorized);
      return body.items.map((vendor: { name: string }) => vendor.name);
    },
  };
}

/** The rows of a table that the data file and its journals hold at this moment. */
async function kept(table: string): Promise<Row[]> {
  const { stored } = await readData(file, refuseFlaw);
  return [...(stored.worlds.get(KEY)?.tables.get(table)?.values() ?? [])];
}

describe('a data file', () => {
  it('restores the records of a world, and new ids do not repeat old ones', async () => {
    const first = await start();
    const one = await first.create('one');
    await first.emulator.close();
    const second = await start();
    const two = await second.create('two');

    expect(await second.names()).toEqual(['two', 'one']);
    expect(two.body.id).not.toBe(one.body.id);
    await second.emulator.close();
  });

  it('restores sandboxes with their valid keys, time to live, snapshots and origins', async () => {
    const settings = { keys: 'listed', key_list: [KEY] };
    const first = await start('on-exit', settings);
    const control = ({ http, authorized }: typeof first, path: string, key = KEY) => {
      const headers = { ...authorized, Authorization: `Bearer ${key}` };
      return http.post(`/_emulator/${path}`).set(headers);
    };
    await first.create('one');
    await control(first, 'snapshots').send({ name: 'saved' });
    const made = { snapshot: 'saved', time_to_live: 'PT1H' };
    await control(first, 'sandboxes').send({ name: 'copy', ...made });
    await first.create('two');
    await first.emulator.close();
    const second = await start('on-exit', settings);
    const { body: copy } = await control(second, 'reset', 'key_test_copy');
    const { body: restored } = await control(second, 'snapshots/saved/restore');
    const { body } = await second.http.get('/_emulator/sandboxes').set(second.authorized);
    await second.emulator.close();

    expect([copy.records.vendors, restored.records.vendors]).toEqual([1, 1]);
    expect(body.items).toMatchObject([
      { name: 'copy', closes_at: expect.any(String) },
      { name: 'kept', closes_at: null },
    ]);
  });

  it('contains every created vendor before its 201 response is sent, in mode on-commit', async () => {
    const { emulator, create } = await start('on-commit');
    await Promise.all(Array.from({ length: 20 }, (_, count) => create(`vendor ${count}`)));

    expect(await kept('vendors')).toHaveLength(20);
    await emulator.close();
  });

  it('contains payments and portal visits before the page responds, in mode on-commit', async () => {
    const { emulator, http, authorized } = await start('on-commit');
    const post = (path: string, body: object) => http.post(path).set(authorized).send(body);
    const urls = { return_url: 'https://shop.test/', failure_url: 'https://shop.test/failed' };
    const customer = await post('/customers', { name: 'Acme' });
    const order = { customer_id: customer.body.id, amount: 20, currency: 'USD', ...urls };
    const topUp = await post('/top-ups', order);
    const link = new URL(topUp.body.redirect_url).pathname;
    const card = { method: 'card', number: '4242424242424242', expiry: '02/99', cvc: '123' };
    const paid = await http.post(`${link}/pay`).type('form').send(card);
    const payments = await kept('top_ups');
    const session = await post('/billing-portal/sessions', {
      customer_id: customer.body.id,
      ...urls,
    });
    const visit = await http.get(new URL(session.body.redirect_url).pathname);
    const visits = await kept('portal_visits');
    await emulator.close();

    expect([paid.status, visit.status]).toEqual([303, 303]);
    expect(payments).toMatchObject([{ status: 'succeeded' }]);
    expect(visits).toHaveLength(1);
  });

  it('makes requests fail with 503 while it cannot be written, and gets their changes later', async () => {
    const { emulator, data, http, authorized, create } = await start('on-commit');
    await create('one');
    const world = emulator.worlds.find(KEY) as World;
    let failures = 3;
    const failing = () => {
      failures -= 1;
      if (failures >= 0) throw new Error('no space left');
      return [].values();
    };
    const put = { [Symbol.iterator]: failing };
    data?.note(world, () => ({ kind: 'rows', world: KEY, head: world.head, put }));
    const { status, body } = await create('two');
    const page = await http.get('/_emulator/ui/clock').set(authorized);
    const other = await http.get('/vendors').set('Authorization', 'Bearer key_test_other');
    const then = await kept('vendors');
    const later = await create('three');

    expect([status, page.status, other.status, later.status]).toEqual([503, 503, 503, 201]);
    expect(body.detail).toMatch(
      /data\.json\.journal-1 cannot be written: no space left.* in memory/,
    );
    expect(then).toHaveLength(1);
    expect(await kept('vendors')).toHaveLength(3);
    expect(told).toEqual([
      expect.stringContaining('cannot be written'),
      'The data file can be written again.',
    ]);
    await emulator.close();
  });

  it('gets all contents of a world that was restored while it could not be written', async () => {
    const { emulator, data, create } = await start('on-commit');
    await create('one');
    const world = emulator.worlds.find(KEY) as World;
    world.restore(world.image());
    const failing = vi
      .fn(() => [].values())
      .mockImplementationOnce(() => {
        throw new Error('no space left');
      });
    const put = { [Symbol.iterator]: failing };
    data?.note(world, () => ({ kind: 'rows', world: KEY, head: world.head, put }));
    const answers = [await create('two'), await create('three')];

    expect(answers.map(({ status }) => status)).toEqual([503, 201]);
    expect(await kept('vendors')).toHaveLength(3);
    await emulator.close();
  });

  it('keeps the previous snapshot as a .previous file', async () => {
    for (const name of ['one', 'two']) {
      const { emulator, create } = await start();
      await create(name);
      await emulator.close();
    }
    await rename(`${file}.previous`, file);

    expect(await kept('vendors')).toHaveLength(1);
  });

  it('is written and locked where a link leads', async () => {
    const link = join(folder, 'link.json');
    await (await start()).emulator.close();
    await symlink(file, link);
    const { emulator, create } = await start('on-exit', { data: link });
    await create('one');
    await expect(start()).rejects.toThrow('in use');
    await emulator.close();

    expect([await readlink(link), await kept('vendors')]).toEqual([file, [expect.anything()]]);
  });

  it.each([
    ['truncated', '{"schema_version": 1, "worl', 'cannot be read'],
    ['empty', '', 'It is empty'],
    ['of something else', '{"name": "other"}', 'not a data file'],
    ['of a newer release', '{"schema_version": 99, "worlds": {}}', 'newer release'],
    [
      'damaged',
      '{"schema_version": 1, "worlds": {"key_test_a": {"tables": {}}}}',
      'sequence: Expected',
    ],
    [
      'with a damaged snapshot',
      '{"schema_version": 1, "worlds": {"key_test_a": {"sequence": 1, "tables": {}, "snapshots": [{"name": "x"}]}}}',
      'damaged',
    ],
    [
      'with unknown records',
      '{"schema_version": 1, "worlds": {"key_test_a": {"sequence": 1, "requests": 0, "clock": {"mode": "real"}, "tables": {"x": [{"id": "1"}]}}}}',
      'no table "x"',
    ],
  ])('stops the start and is not changed when it is %s', async (_, text, message) => {
    await writeFile(file, text);

    await expect(start()).rejects.toThrow(message);
    await expect(start()).rejects.toThrow(file);
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});
