import { expect, it } from 'vitest';
import { aSubscriber } from '../../../testing/story.ts';

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
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOf(cell).trim()),
  );

it('the agenda shows what a renewal will collect and what credit will expire', async () => {
  const { acme } = await aSubscriber();

  const rows = rowsOf(await read(acme, '/time'), 'agenda');

  expect(rows.map(([, ...cells]) => cells)).toEqual([
    ['Credit ends: PromotionAcme', '−1,000 CREDIT'],
    ['Renewal: planAcme', '$20.00'],
    ['Credit is refreshed: planAcme', ''],
  ]);
});

it('an advance shows the fee that it collected and the credit that it moved', async () => {
  const { acme } = await aSubscriber();

  const advance = acme.client.http.post(`${UI}/time/advance`).query({ key: acme.key });
  await advance.type('form').send({ by: 'P1M' });
  const rows = rowsOf(await read(acme, '/time?report=advance'), 'done');

  expect(rows.map(([, what, , amount]) => [what, amount])).toEqual([
    ['Credit ends: Promotion', '−1,000 CREDIT'],
    ['Renewal: plan, collected', '$20.00'],
    ['Credit is refreshed: plan', '+1,000 CREDIT'],
  ]);
});

it('a preview says what an advance will do, and changes nothing', async () => {
  const { acme } = await aSubscriber();
  const before = await acme.client.api('getClock', { key: acme.key });

  const preview = acme.client.http.post(`${UI}/time/advance`).query({ key: acme.key });
  const { headers } = await preview.type('form').send({ by: 'P1M', preview: '1' });
  const page = await acme.client.http.get(String(headers['location']));

  expect(textOf(sectionOf(page.text, 'done'))).toContain(
    '1 credit ends; 1 renewal, $20.00; 1 credit is refreshed',
  );
  expect(page.text).not.toContain('class="toast"');
  const after = await acme.client.api('getClock', { key: acme.key });
  expect(after.now).toBe(before.now);
});
