import { beforeEach, describe, expect, it } from 'vitest';
import { type Instant, instant } from '../../domain/instant.ts';
import type { WebhookEventRow } from '../../store/records.ts';
import type { World } from '../../store/world.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { changeLogged } from '../../testing/webhook-world.ts';

const TOPIC = 'subscription.activated';

type Query = Readonly<Record<string, string | number>>;

let client: TestClient;
let world: World;
beforeEach(() => {
  client = createTestClient();
  world = client.emulator.worlds.find('key_test_emulator') as World;
});

/** Stores events that match no destination, so nothing is sent; returns their ids, oldest first. */
async function file(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let left = count; left > 0; left -= 1)
    ids.push((await client.api('testWebhooks', { path: { topic: TOPIC }, body: {} }, 202)).id);
  return ids;
}

const list = (query: Query = {}, status = 200) =>
  client.api('listWebhookEvents', { query }, status);

async function listIds(query: Query = {}): Promise<string[]> {
  return (await list(query)).items.map(({ id }: { id: string }) => id);
}

const settle = (id: string, change: Partial<WebhookEventRow>) => changeLogged(world, id, change);

describe('listWebhookEvents pages', () => {
  it('are newest first, with a default limit of 100', async () => {
    const ids = await file(3);

    expect(await list()).toMatchObject({ pagination: { limit: 100, next: null, prev: null } });
    expect(await listIds()).toEqual([...ids].reverse());
  });

  it('lead to the last page with next and back with prev', async () => {
    const [first, second, third, fourth, fifth] = await file(5);
    const newest = await list({ limit: 2 });
    const middle = await list({ limit: 2, next: newest.pagination.next });
    const oldest = await list({ limit: 2, next: middle.pagination.next });
    const back = await list({ limit: 2, prev: oldest.pagination.prev });
    const front = await list({ limit: 2, prev: back.pagination.prev });

    const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);
    expect([newest, middle, oldest].map(idsOf)).toEqual([
      [fifth, fourth],
      [third, second],
      [first],
    ]);
    expect(newest.pagination).toEqual({ limit: 2, next: expect.any(String), prev: null });
    expect(oldest.pagination).toEqual({ limit: 2, next: null, prev: expect.any(String) });
    expect(back).toEqual(middle);
    expect(front).toEqual(newest);
  });

  it('neither skip nor repeat events when the log grows in between', async () => {
    const [first, second, third] = await file(3);
    const newest = await list({ limit: 1 });
    const [fourth] = await file(1);
    const rest = await list({ limit: 5, next: newest.pagination.next });
    const grown = await list({ limit: 5, prev: rest.pagination.prev });

    expect(newest.items[0].id).toBe(third);
    expect(rest.items.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect(grown.items.map(({ id }: { id: string }) => id)).toEqual([fourth, third]);
  });

  it.each(['', 'x', 'null', '%20', 'ZXZ0X3Vua25vd24'])(
    'return 400 for the cursor %o',
    async (text) => {
      await file(2);
      for (const name of ['next', 'prev'])
        expect((await list({ [name]: text }, 400)).detail).toContain(`${name}:`);
    },
  );

  it('return 400 for a changed cursor, and for both next and prev', async () => {
    await file(2);
    const { next } = (await list({ limit: 1 })).pagination;

    await list({ next: `${next}=` }, 400);
    await list({ next, prev: next }, 400);
  });

  it('return 400 for a cursor of another world or another owner', async () => {
    await file(2);
    const { next } = (await list({ limit: 1 })).pagination;
    const { id } = await client.api('createConnectedAccount', { body: { name: 'Branch' } }, 201);
    const headers = { 'X-Service-Account': id };

    await client.api('listWebhookEvents', { query: { next }, headers }, 400);
    await client.api('listWebhookEvents', { query: { next }, key: 'key_live_emulator' }, 400);
  });

  it.each([0, 1001, -1, 'ten'])('return 400 for a limit of %s', async (limit) => {
    expect((await list({ limit }, 400)).detail).toContain('limit');
  });

  it('have the same cursors in an equal world', async () => {
    await file(2);
    const { next } = (await list({ limit: 1 })).pagination;
    client = createTestClient();
    await file(2);

    expect((await list({ limit: 1 })).pagination.next).toBe(next);
  });
});

describe('listWebhookEvents filters', () => {
  it('accept one destination or several, with either id prefix', async () => {
    const [first, second, third, fourth] = await file(4);
    settle(first as string, { matched_destination_ids: ['dst_a'] });
    settle(second as string, { matched_destination_ids: ['dst_a', 'dst_b'] });
    settle(third as string, { matched_destination_ids: ['dst_c'] });

    expect(await listIds({ destination_id: 'dst_a' })).toEqual([second, first]);
    expect(await listIds({ destination_id: 'whd_b,dst_c' })).toEqual([third, second]);
    expect(await listIds({ destination_id: 'dst_unknown' })).toEqual([]);
    expect(await listIds()).toContain(fourth);
  });

  it('derive the status from successful_at and failed_at', async () => {
    const [waiting, delivered, failed, partly] = await file(4);
    const at = instant('2026-01-15T12:00:01Z');
    settle(delivered as string, { successful_at: at });
    settle(failed as string, { failed_at: at });
    settle(partly as string, { failed_at: at });

    expect(await listIds({ status: 'Success' })).toEqual([delivered]);
    expect(await listIds({ status: 'Failed' })).toEqual([partly, failed]);
    expect(await listIds()).toContain(waiting);
    await list({ status: 'failed' }, 400);
  });

  it('include both bounds of time and accept any UTC offset', async () => {
    const ids: string[] = [];
    for (const at of ['12:00:00.000', '12:00:00.001', '12:00:01.000']) {
      world.clock.state = { mode: 'frozen', at: `2026-01-15T${at}Z` as Instant };
      ids.push(...(await file(1)));
    }
    const [first, second, third] = ids;

    expect(await listIds({ time_gte: '2026-01-15T12:00:00.001Z' })).toEqual([third, second]);
    expect(await listIds({ time_lte: '2026-01-15T12:00:00.001Z' })).toEqual([second, first]);
    expect(
      await listIds({
        time_gte: '2026-01-15T13:00:00.001+01:00',
        time_lte: '2026-01-15T12:00:00.999Z',
      }),
    ).toEqual([second]);
    expect((await list({ time_gte: '2026-01-15' }, 400)).detail).toContain('time_gte');
  });

  it('apply across pages', async () => {
    const ids = await file(6);
    const wanted = ids.filter((_, place) => place % 2 === 0);
    for (const id of wanted) settle(id, { failed_at: instant('2026-01-15T12:00:01Z') });
    const [first, third, fifth] = wanted;

    const newest = await list({ status: 'Failed', limit: 2 });
    const oldest = await list({ status: 'Failed', limit: 2, next: newest.pagination.next });
    const back = await list({ status: 'Failed', limit: 2, prev: oldest.pagination.prev });
    expect(newest.items.map(({ id }: { id: string }) => id)).toEqual([fifth, third]);
    expect(oldest.items.map(({ id }: { id: string }) => id)).toEqual([first]);
    expect(oldest.pagination.next).toBeNull();
    expect(back).toEqual(newest);
  });
});

it('listWebhookEvents returns the attempts, oldest first', async () => {
  const [id] = await file(1);
  const attempts = [
    {
      destination_id: 'dst_a',
      at: instant('2026-01-15T12:00:00Z'),
      status_code: null,
      error: 'refused',
    },
    {
      destination_id: 'dst_a',
      at: instant('2026-01-15T12:00:05Z'),
      status_code: 200,
      error: null,
    },
  ];
  settle(id as string, { attempts, successful_at: instant('2026-01-15T12:00:05Z') });

  expect((await list()).items).toEqual([
    expect.objectContaining({
      id,
      successful_at: '2026-01-15T12:00:05.000Z',
      failed_at: null,
      metadata: { attempts },
    }),
  ]);
});
