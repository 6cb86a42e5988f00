import { expect, it } from 'vitest';
import { aCatalogProduct, fixedPrice } from '../../../testing/catalog.ts';
import { createTestClient } from '../../../testing/client.ts';

it('the page of a product states its fixed fee, and nothing of usage', async () => {
  const client = createTestClient();
  const id = await aCatalogProduct(client, 'plan', { prices: [fixedPrice(20, 'year')] });

  const { text } = await client.http.get(`/_emulator/ui/products/${id}`);

  const [, version = ''] = /id="version-1"(.*?)<\/section>/s.exec(text) ?? [];
  expect(version.replaceAll(/<[^>]*>/g, '')).toMatch(/Fee\$20\.00 each year\.$/);
});
