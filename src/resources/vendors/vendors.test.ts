import { expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';

const { api } = createTestClient();

it('getVendor returns a vendor as it was created, and 404 for an unknown one', async () => {
  const vendor = await api('createVendor', { body: { name: 'Host', external_id: 'host' } }, 201);
  const shown = await api('getVendor', { path: { vendorId: vendor.id } }, 200);

  expect(shown).toMatchObject({ id: vendor.id, name: 'Host', external_id: 'host' });
  await api('getVendor', { path: { vendorId: 'vnd_none' } }, 404);
});
