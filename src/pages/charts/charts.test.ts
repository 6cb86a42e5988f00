import { expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';
import { anEvent, nextUuid } from '../../testing/usage.ts';

const UI = '/_emulator/ui';

/** The quickstart world, with cost on 12 January, and a first fee of 4.17 USD on 15 January. */
async function openQuickstart() {
  const { api, http } = createTestClient({ fixture: 'quickstart' });
  await http.post(`${UI}/first-fee`);
  const read = async (path: string): Promise<string> => (await http.get(`${UI}${path}`)).text;
  return { api, read };
}

const tooltips = (html: string): string[] =>
  [...html.matchAll(/<title>(\d+ Jan 2026: [^<]*)<\/title>/g)].map(([, text = '']) => text);

/** Returns the path of a chart's only line. */
const lineOf = (html: string): string | undefined => / class="curve" d="([^"]*)"/.exec(html)?.[1];

it('the lines of profit are at zero on days without revenue and cost, and the margin has a gap', async () => {
  const { read } = await openQuickstart();

  const [, amounts = '', margin = ''] = (await read('/customers/profit')).split('<figure');

  expect(tooltips(amounts)).toEqual([
    '12 Jan 2026: 0',
    '13 Jan 2026: 0',
    '14 Jan 2026: 0',
    '15 Jan 2026: 4.17',
  ]);
  expect(tooltips(margin)).toEqual([
    '12 Jan 2026: –',
    '13 Jan 2026: –',
    '14 Jan 2026: –',
    '15 Jan 2026: 100',
  ]);
  expect(lineOf(margin)).toMatch(/^M100,\d+(\.\d+)?Z$/);
});

it('a negative margin is drawn below zero', async () => {
  const { api, read } = await openQuickstart();
  const costs = [{ id: nextUuid(), vendor_external_id: 'model-host', amount: 6.255 }];
  const event = anEvent({ event_type: 'unpriced', costs });
  await api('submitEvents', { body: { customer_external_id: 'globex', events: [event] } }, 204);

  const [, , margin = ''] = (await read('/customers/profit')).split('<figure');

  // (4.17 - 6.255) / 4.17 = -0.5; on an axis from 0 to -60, 140 pixels high.
  expect(tooltips(margin).at(-1)).toBe('15 Jan 2026: -50');
  expect(lineOf(margin)).toBe('M100,116.667Z');
});

it('an axis has a minus sign for amounts below zero, and whole numbers for requests', async () => {
  const { read } = await openQuickstart();

  const [, profit] = /class="up"[^>]*>(.*?)<\/div>/.exec(await read('/customers/profit')) ?? [];
  const [, requests] = /class="up"[^>]*>(.*?)<\/div>/.exec(await read('')) ?? [];

  expect(profit?.replaceAll(/<[^>]*>/g, ' ').trim()).toBe('$6  $4  $2  $0  −$2');
  expect(requests?.replaceAll(/<[^>]*>/g, ' ').trim()).toBe('1  0');
});

it('a line of many entries has a tooltip for each half percent of its width, up to the present', async () => {
  const { api, control, http } = createTestClient();
  const { id: customerId } = await api('createCustomer', { body: { name: 'Acme' } }, 201);
  for (let count = 0; count < 600; count += 1) {
    await control('advanceClock', { body: { by: '1m' } }, 200);
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

it('a line shows each entry that is alone in its part of the width, however many are elsewhere', async () => {
  const { api, control, http } = createTestClient();
  await control('setClock', { body: { mode: 'frozen', now: '2026-01-01T00:00:00Z' } }, 200);
  const { id: customerId } = await api('createCustomer', { body: { name: 'Acme' } }, 201);
  const charge = async (amount: number) => {
    const body = { transaction_id: nextUuid(), asset: 'USD', amount };
    await api('chargeWallet', { path: { customerId }, body }, 201);
  };
  for (let count = 0; count < 600; count += 1) await charge(1);
  for (const day of ['11', '12', '13', '21']) {
    await control('advanceClock', { body: { to: `2026-01-${day}T00:00:00Z` } }, 200);
    await charge(100);
  }
  await control('advanceClock', { body: { to: '2026-01-31T00:00:00Z' } }, 200);
  const { text } = await http.get(`${UI}/customers/${customerId}`);
  const titles = [...text.matchAll(/<title>(−\$[^<]*)<\/title>/g)].map(([, title]) => title);

  expect(titles).toEqual([
    expect.stringContaining('−$1.00 from 1 Jan 2026, '),
    expect.stringContaining('−$600.00 from 1 Jan 2026, '),
    expect.stringContaining('−$700.00 from 11 Jan 2026, '),
    expect.stringContaining('−$800.00 from 12 Jan 2026, '),
    expect.stringContaining('−$900.00 from 13 Jan 2026, '),
    expect.stringContaining('−$1,000.00 from 21 Jan 2026, '),
    '−$1,000.00 now',
  ]);
});
