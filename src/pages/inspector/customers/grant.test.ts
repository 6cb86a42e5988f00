import { expect, it } from 'vitest';
import { createTestClient } from '../../../testing/client.ts';

it('the ledger of a grant shows what gave and what drew its credit, newest first', async () => {
  const client = createTestClient({ fixture: 'quickstart' });
  await client.http.post('/_emulator/ui/first-fee');
  const { id } = await client.api('listCustomers', { query: { external_id: 'acme' } }, 200);
  const customer = await client.http.get(`/_emulator/ui/customers/${id}`);
  const [grant = ''] = /grt_\w{26}/.exec(customer.text) ?? [];

  const { text } = await client.http.get(`/_emulator/ui/ledger?q=grant:${grant}`);

  const rows = [...text.matchAll(/<tr[^>]*>(<td.*?)<\/tr>/gs)].map(([, row = '']) =>
    row.replaceAll(/<\/t[hd]>/g, '|').replaceAll(/<[^>]*>/g, ''),
  );
  expect(rows.map((row) => row.split('|').slice(3, 5))).toEqual([
    ['usage', '−$4.17'],
    ['adjustment', '+$100.00'],
  ]);
});
