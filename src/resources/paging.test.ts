import { array, assert, boolean, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anEvent } from '../testing/catalog.ts';
import { createTestClient } from '../testing/client.ts';
import { aUser } from '../testing/story.ts';
import { cursorPage } from './paging.ts';

const client = createTestClient();
const { api } = client;

describe('a repeated list request', () => {
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

describe('cursorPage', () => {
  it('returns no edge beyond which no row matches', () => {
    const mixed = [entry(1, false), entry(2), entry(3, false), entry(4)];

    expect(cursorPage(mixed, { limit: 2 }, fits)).toEqual({
      rows: [mixed[3], mixed[1]],
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
