import { describe, expect, it } from 'vitest';
import { URLS } from '../../testing/catalog.ts';
import { createTestClient } from '../../testing/client.ts';

/** A request for a session of a new customer. */
async function open(settings = {}) {
  const { api } = createTestClient(settings);
  const { id } = await api('createCustomer', { body: { name: 'Acme' } }, 201);
  return { api, body: { customer_id: id, ...URLS } };
}

describe('createPortalSession', () => {
  it('builds the link with portal_link_lifetime and public_url', async () => {
    const settings = { portal_link_lifetime: 'PT1H', public_url: 'https://billing.example.com' };
    const { api, body } = await open(settings);
    const { redirect_url, expires_at } = await api('createPortalSession', { body });

    expect(redirect_url).toMatch(/^https:\/\/billing\.example\.com\/hosted\/portal\//);
    expect(expires_at).toBe('2026-01-15T13:00:00.000Z');
  });

  it.each([
    [{ return_url: 'app.example.com' }, 'return_url'],
    [{ failure_url: 'javascript:alert(1)' }, 'failure_url'],
  ])('rejects %o', async (change, field) => {
    const { api, body } = await open();
    const rejection = await api('createPortalSession', { body: { ...body, ...change } }, 422);

    expect(Object.keys(rejection.errors)).toEqual([field]);
  });
});
