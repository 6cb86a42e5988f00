import { expect, it } from 'vitest';
import { anEvent, nextUuid } from '../../testing/catalog.ts';
import { createTestClient } from '../../testing/client.ts';

const UI = '/_emulator/ui';

const tooltips = (html: string): string[] =>
  [...html.matchAll(/<title>(\d+ Jan 2026: [^<]*)<\/title>/g)].map(([, text = '']) => text);

/** Returns the classes and heights of a chart's drawn bars. */
const barsOf = (html: string): (readonly [part: string, height: number])[] =>
  [...html.matchAll(/<rect class="(one|two|fail)"[^>]* height="([^"]*)"/g)].map(
    ([, part = '', height]) => [part, Number(height)],
  );

it('profit has a bar for each day, with what is lost above the cost that revenue covers', async () => {
  const { api, http } = createTestClient({ fixture: 'quickstart' });
  await http.post(`${UI}/first-fee`);
  const read = async () => (await http.get(`${UI}/customers/profit`)).text;
  // 0.09 lost and 4.17 earned, of an axis to 6, 140 pixels high.
  expect(barsOf(await read())).toEqual([
    ['fail', expect.closeTo(2.1, 5)],
    ['one', expect.closeTo(97.3, 5)],
  ]);
  const costs = [{ id: nextUuid(), vendor_external_id: 'model-host', amount: 6.255 }];
  const event = anEvent({ event_type: 'unpriced', costs });
  await api('submitEvents', { body: { customer_external_id: 'globex', events: [event] } }, 204);

  const text = await read();

  expect(tooltips(text)).toEqual([
    '12 Jan 2026: revenue $0.00, cost $0.09',
    '13 Jan 2026: revenue $0.00, cost $0.00',
    '14 Jan 2026: revenue $0.00, cost $0.00',
    '15 Jan 2026: revenue $4.17, cost $6.255',
  ]);
  // 0.09 lost, then 4.17 covered and 2.085 lost, of an axis to 8.
  expect(barsOf(text)).toEqual([
    ['fail', expect.closeTo(1.575, 5)],
    ['two', expect.closeTo(72.975, 5)],
    ['fail', expect.closeTo(36.4875, 5)],
  ]);
});

it('an axis has a minus sign for amounts below zero, and whole numbers for requests', async () => {
  const { api, http } = createTestClient();
  const { id: customerId } = await api('createCustomer', { body: { name: 'Acme' } }, 201);
  for (const amount of [1, 4]) {
    await api('advanceClock', { body: { by: 'P1D' } });
    const body = { transaction_id: nextUuid(), asset: 'USD', amount };
    await api('chargeWallet', { path: { customerId }, body }, 201);
  }
  const axisOf = async (path: string): Promise<string | undefined> => {
    const { text } = await http.get(UI + path);
    const [, axis] = /class="up"[^>]*>(.*?)<\/div>/.exec(text) ?? [];
    return axis?.replaceAll(/<[^>]*>/g, ' ').trim();
  };

  expect(await axisOf(`/customers/${customerId}`)).toBe('−$1  −$2  −$3  −$4  −$5');
  expect(await axisOf('')).toBe('3  2  1  0');
});

it('a line shows the balance at the end of each day', async () => {
  const { api, http } = createTestClient();
  const { id: customerId } = await api('createCustomer', { body: { name: 'Acme' } }, 201);
  const charge = async (amount: number) => {
    const body = { transaction_id: nextUuid(), asset: 'USD', amount };
    await api('chargeWallet', { path: { customerId }, body }, 201);
  };
  await charge(1);
  await charge(2);
  await api('advanceClock', { body: { by: 'P2D' } });
  await charge(4);

  const { text } = await http.get(`${UI}/customers/${customerId}`);

  expect(tooltips(text)).toEqual([
    '15 Jan 2026: −$3.00',
    '16 Jan 2026: −$3.00',
    '17 Jan 2026: −$7.00',
  ]);
  // Of an axis from −7 to −3 dollars, 140 pixels high.
  expect(text).toMatch(/d="M0 0V0H33\.3\d*V0H66\.6\d*V140H100"/);
});
