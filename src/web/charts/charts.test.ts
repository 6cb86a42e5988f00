import { expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';
import { nextUuid } from '../../testing/usage.ts';

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

it('a line of many entries has a tooltip for each half percent of its width, up to the present', async () => {
  const { api, http } = createTestClient();
  const { id: customerId } = await api('createCustomer', { body: { name: 'Acme' } }, 201);
  for (let count = 0; count < 600; count += 1) {
    const body = { transaction_id: nextUuid(), asset: 'USD', amount: 1 };
    await api('chargeWallet', { path: { customerId }, body }, 201);
  }
  const { text } = await http.get(`${UI}/customers/${customerId}`);
  const titles = [...text.matchAll(/<title>(−\$[^<]*)<\/title>/g)].map(([, title]) => title);

  expect(titles[0]).toMatch(/^−\$1.00 from /);
  expect(titles.at(-1)).toBe('−$600.00 now');
  expect(titles.length).toBeGreaterThan(100);
  expect(titles.length).toBeLessThanOrEqual(201);
});
