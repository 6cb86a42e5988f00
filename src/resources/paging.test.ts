import { array, assert, boolean, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anEvent } from '../testing/catalog.ts';
import { createTestClient } from '../testing/client.ts';
import { aUser } from '../testing/story.ts';
import { type CursorPage, cursorPage } from './paging.ts';

const client = createTestClient();
const { api } = client;

describe('a repeated list request', () => {
  it('returns customers as they are now', async () => {
    const { key, customerId, productId } = await aUser(client);
    const list = async () => (await api('listCustomers', { key })).items;
    const path = { customerId };
    const first = await list();
    await api('updateCustomer', { key, path, body: { name: 'Renamed' } }, 204);
    const renamed = await list();
    const body = { products: [{ id: productId }] };
    await api('createSubscription', { key, path, body }, 201);
    const subscribed = await list();

    expect(first).toMatchObject([{ name: 'Acme', active_subscription_count: 1 }]);
    expect(renamed).toMatchObject([{ name: 'Renamed', active_subscription_count: 1 }]);
    expect(subscribed).toMatchObject([{ name: 'Renamed', active_subscription_count: 2 }]);
    expect(await list()).toEqual(subscribed);
  });

  it('returns the right page of many rows', async () => {
    const { key, submit } = await aUser(client, { prices: [{ event_type: 'other' }] });
    for (let batch = 0; batch < 11; batch += 1)
      await submit(...Array.from({ length: 1000 }, () => anEvent({ subject: `${batch}` })));
    const page = (offset: number) => api('listEvents', { key, query: { limit: 1000, offset } });
    const subjects = async (offset: number) =>
      new Set((await page(offset)).items.map(({ subject }: { subject: string }) => subject));

    for (const offset of [0, 1000, 5000, 10_000, 0, 6000])
      expect(await subjects(offset)).toEqual(new Set([`${10 - offset / 1000}`]));
  });
});

interface Entry {
  readonly id: string;
  readonly seq: number;
  readonly fits: boolean;
}

const entry = (seq: number, fits = true): Entry => ({ id: `e${seq}`, seq, fits });
const fits = (row: Entry) => row.fits;
const seqs = ({ rows }: CursorPage<Entry>) => rows.map(({ seq }) => seq);

describe('cursorPage', () => {
  const list = [1, 2, 3, 4, 5].map((seq) => entry(seq));

  it('starts with the newest rows and returns the edge beyond which there are more', () => {
    const page = cursorPage(list, { limit: 2 }, fits);

    expect(seqs(page)).toEqual([5, 4]);
    expect(page.oldest).toBe(list[3]);
    expect(page.newest).toBeUndefined();
  });

  it('returns no oldest edge if the page ends with the last row', () => {
    const page = cursorPage(list, { limit: 2, before: list[2] }, fits);

    expect(seqs(page)).toEqual([2, 1]);
    expect(page.oldest).toBeUndefined();
    expect(page.newest).toBe(list[1]);
  });

  it('with after returns the rows next to the edge, not the newest of all', () => {
    const page = cursorPage(list, { limit: 2, after: list[0] }, fits);

    expect(seqs(page)).toEqual([3, 2]);
    expect(page.newest).toBe(list[2]);
    expect(page.oldest).toBe(list[1]);
  });

  it('returns no edge beyond which no row matches', () => {
    const mixed = [entry(1, false), entry(2), entry(3, false), entry(4)];

    expect(cursorPage(mixed, { limit: 2 }, fits)).toEqual({
      rows: [mixed[3], mixed[1]],
      oldest: undefined,
      newest: undefined,
    });
  });

  it('returns no rows and no edges if no row matches', () => {
    expect(cursorPage([entry(1, false)], { limit: 5 }, fits)).toEqual({
      rows: [],
      oldest: undefined,
      newest: undefined,
    });
  });

  it('visits every row once, forwards and back, while the list grows', () => {
    const given = array(boolean(), { maxLength: 25 });
    assert(
      property(given, integer({ min: 1, max: 6 }), (flags, limit) => {
        const rows = flags.map((flag, place) => entry(place + 1, flag));
        const expected = rows.filter(fits).reverse();
        const grow = () => rows.push(entry(rows.length + 1));

        const pages = [cursorPage(rows, { limit }, fits)];
        for (let page = pages[0]; page?.oldest; page = pages.at(-1)) {
          grow();
          pages.push(cursorPage(rows, { limit, before: page.oldest }, fits));
        }
        expect(pages.flatMap((page) => page.rows)).toEqual(expected);

        for (let place = pages.length - 1; place > 0; place -= 1) {
          grow();
          const after = pages[place]?.newest;
          expect(cursorPage(rows, { limit, after }, fits).rows).toEqual(pages[place - 1]?.rows);
        }
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});

describe('a period that ends before it starts', () => {
  const PERIODS = [
    ['listEvents', 'period'],
    ['listCustomerStats', 'period'],
    ['getVendorStats', 'period'],
    ['listTasks', 'last_updated'],
    ['listTasks', 'created'],
  ] as const;

  it.each(PERIODS)('returns 400 from %s for %s', async (operation, name) => {
    const { id: vendorId } = await api('createVendor', { body: { name: 'Host' } }, 201);
    const query = { [`${name}_from`]: '2026-01-02', [`${name}_to`]: '2026-01-01' };
    const { detail } = await api(operation, { path: { vendorId }, query }, 400);

    expect(detail).toContain(`${name}_to`);
  });
});
