import { beforeEach, describe, expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../testing/client.ts';

let client: TestClient;
let customer_id: string;

async function start(settings = {}): Promise<void> {
  client = createTestClient(settings);
  customer_id = (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
}
beforeEach(() => start());

const urls = { return_url: 'https://app.example.com/', failure_url: 'http://localhost/failed' };
const open = () => client.api('createPortalSession', { body: { customer_id, ...urls } }, 200);

describe('createPortalSession', () => {
  it('builds the link with portal_link_lifetime and public_url', async () => {
    await start({ portal_link_lifetime: 'PT1H', public_url: 'https://billing.example.com' });
    const { redirect_url, expires_at } = await open();

    expect(redirect_url).toMatch(/^https:\/\/billing\.example\.com\/hosted\/portal\//);
    expect(expires_at).toBe('2026-01-15T13:00:00.000Z');
  });

  it.each([
    [{ customer_id: 'cust_unknown' }, 'customer_id'],
    [{ customer_id: undefined }, 'customer_id'],
    [{ return_url: 'app.example.com' }, 'return_url'],
    [{ failure_url: 'javascript:alert(1)' }, 'failure_url'],
  ])('rejects %o', async (change, field) => {
    const body = { customer_id, ...urls, ...change };
    const rejection = await client.api('createPortalSession', { body }, 422);

    expect(Object.keys(rejection.errors)).toEqual([field]);
  });
});
