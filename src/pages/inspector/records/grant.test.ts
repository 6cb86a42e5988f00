import { expect, it } from 'vitest';
import { createTestClient } from '../../../testing/client.ts';

it('the page of a grant shows what gave and what drew its credit, newest first', async () => {
  const client = createTestClient({ fixture: 'quickstart' });
  await client.http.post('/_emulator/ui/first-fee');
  const { id } = await client.api('listCustomers', { query: { external_id: 'acme' } }, 200);
  const customer = await client.http.get(`/_emulator/ui/customers/${id}`);
  const [grant = ''] = /grt_\w{26}/.exec(customer.text) ?? [];

  const { text } = await client.http.get(`/_emulator/ui/records/grants/${grant}`);

  const [, movements = ''] = /id="movements"(.*?)<\/section>/s.exec(text) ?? [];
  const rows = [...movements.matchAll(/<tr[^>]*>(<td.*?)<\/tr>/gs)].map(([, row = '']) =>
    row.replaceAll(/<\/td>/g, '|').replaceAll(/<[^>]*>/g, ''),
  );
  expect(rows.map((row) => row.split('|').slice(0, 3))).toEqual([
    ['usage', '68e8980c-fd79-46ea-be14-0e9f2be7df0a', '−$4.17'],
    ['adjustment', 'Paid by invoice', '+$100.00'],
  ]);
});
