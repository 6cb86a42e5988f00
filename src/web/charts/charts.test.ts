import { expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';

const UI = '/_emulator/ui';

/** The quickstart world, with cost on 12 January, and a first fee of 4.17 USD on 15 January. */
async function openQuickstart() {
  const { http } = createTestClient({ fixture: 'quickstart' });
  await http.post(`${UI}/first-fee`);
  return async (path: string): Promise<string> => (await http.get(`${UI}${path}`)).text;
}

const tooltips = (html: string): string[] =>
  [...html.matchAll(/<title>(\d+ Jan 2026: [^<]*)<\/title>/g)].map(([, text = '']) => text);

it('the lines of profit are at zero on days without revenue and cost', async () => {
  const read = await openQuickstart();

  const [, amounts = '', margin = ''] = (await read('/profit')).split('<figure');

  expect(tooltips(amounts)).toEqual([
    '12 Jan 2026: 0',
    '13 Jan 2026: 0',
    '14 Jan 2026: 0',
    '15 Jan 2026: 4.17',
  ]);
  expect(tooltips(margin)).toHaveLength(4);
});

it('an axis has a minus sign for amounts below zero, and whole numbers for requests', async () => {
  const read = await openQuickstart();

  const [, profit] = /class="up"[^>]*>(.*?)<\/div>/.exec(await read('/profit')) ?? [];
  const [, requests] = /class="up"[^>]*>(.*?)<\/div>/.exec(await read('')) ?? [];

  expect(profit?.replaceAll(/<[^>]*>/g, ' ').trim()).toBe('$6  $4  $2  $0  −$2');
  expect(requests?.replaceAll(/<[^>]*>/g, ' ').trim()).toBe('1  0');
});
