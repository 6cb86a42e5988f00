import { expect, it } from 'vitest';
import { aSubscriber } from '../../../testing/setups/subscriber.ts';

type Story = Awaited<ReturnType<typeof aSubscriber>>['acme'];

const UI = '/_emulator/ui';
const read = async ({ client, key }: Story, path: string): Promise<string> =>
  (await client.http.get(`${UI}${path}`).query({ key })).text;

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, '');

/** The section of a page, as markup. */
const sectionOf = (html: string, id: string): string =>
  new RegExp(`id="${id}"(.*?)</section>`, 's').exec(html)?.[1] ?? '';

/** The texts of the cells of a section's table. */
const rowsOf = (html: string, section: string): string[][] =>
  [...sectionOf(html, section).matchAll(/<tr[^>]*>(<td.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => textOf(cell)),
  );

it('the agenda shows what a renewal will collect and what credit will expire', async () => {
  const { acme } = await aSubscriber();

  const rows = rowsOf(await read(acme, '/clock'), 'agenda');

  expect(rows.map(([what, , , amount]) => [what, amount])).toEqual([
    ['grant expiry', '−1,000 CREDIT'],
    ['renewal', '$20.00'],
    ['refresh', ''],
  ]);
});

it('an advance shows the fee that it collected and the credit that it moved', async () => {
  const { acme } = await aSubscriber();

  const advance = acme.client.http.post(`${UI}/clock/advance`).query({ key: acme.key });
  await advance.type('form').send({ by: 'P1M' });
  const rows = rowsOf(await read(acme, '/clock?done=1'), 'done');

  expect(rows.map(([, what, , , fee, moved]) => [what, fee, moved])).toEqual([
    ['grant expiry', '', 'default:CREDIT −1,000 CREDIT'],
    ['renewal: collected', '$20.00', ''],
    ['refresh', '', 'default:CREDIT +1,000 CREDIT'],
  ]);
});

it('the clock page leads to snapshots, where an advance can be undone', async () => {
  const { acme } = await aSubscriber();

  const controls = sectionOf(await read(acme, '/clock'), 'advance');

  expect(controls).toMatch(/can undo an advance.*href="[^"]*\/snapshots\?key=/s);
});

it('the page of a customer shows the price of its subscription', async () => {
  const { acme } = await aSubscriber();

  const page = await read(acme, `/customers/${acme.customerId}`);

  expect(textOf(sectionOf(page, 'subscriptions'))).toContain('$20.00 each month');
});
