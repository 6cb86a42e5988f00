import { beforeEach, describe, expect, it } from 'vitest';
import { instant } from '../../domain/instant.ts';
import type { WebhookEventRow } from '../../store/records.ts';
import type { World } from '../../store/world.ts';
import { asNewAccount, createTestClient, type TestClient, worldOf } from '../../testing/client.ts';
import { changeLogged } from '../../testing/webhook-world.ts';

const TOPIC = 'subscription.activated';

type Query = Readonly<Record<string, string | number>>;

let client: TestClient;
let world: World;
beforeEach(() => {
  client = createTestClient();
  world = worldOf(client.emulator);
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

const settle = (id: string, change: Partial<WebhookEventRow>) => changeLogged(world, id, change);

describe('listWebhookEvents pages', () => {
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
    const headers = await asNewAccount(client.api);

    await client.api('listWebhookEvents', { query: { next }, headers }, 400);
    await client.api('listWebhookEvents', { query: { next }, key: 'key_live_emulator' }, 400);
  });

  it('have the same cursors in an equal world', async () => {
    await file(2);
    const { next } = (await list({ limit: 1 })).pagination;
    client = createTestClient();
    await file(2);

    expect((await list({ limit: 1 })).pagination.next).toBe(next);
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
