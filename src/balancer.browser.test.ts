import { describe, expect, it } from 'vitest';
import { openPage } from './testing/browser.ts';
import { startBalancer } from './testing/durability/fleet.ts';
import { PostgresEmulators } from './testing/postgres/emulators.ts';
import { hasPostgres } from './testing/postgres/server.ts';
import { startServer } from './testing/server.ts';

describe.skipIf(!hasPostgres)(
  'behind a balancer that gives each request to another emulator',
  () => {
    const emulators = new PostgresEmulators();

    it('a customer pays in a browser, and the inspector shows it by itself', async () => {
      const clients = [await emulators.startReachable(), await emulators.startReachable()] as const;
      const balancer = await startBalancer(() => clients.map(({ url }) => url));
      const shop = await startServer((_request, response) => response.end('Thank you.'));
      const [client] = clients;
      const body = { name: 'Ann', external_id: 'ann' };
      const { id: customer_id } = await client.api('createCustomer', { body }, 201);
      const urls = { return_url: `${shop.url}/thanks`, failure_url: `${shop.url}/failed` };
      const order = { customer_id, amount: 20, currency: 'USD', ...urls };
      const topUp = await client.api('createTopUp', { body: order }, 201);
      const [page, inspector] = [await openPage(), await openPage()];
      await inspector.goto(`${balancer.url}/_emulator/ui/requests`);
      await page.goto(balancer.url + new URL(topUp.redirect_url).pathname);
      await page.getByLabel('Card number').fill('4242 4242 4242 4242');
      await page.getByLabel('Expiry').fill('12 / 34');
      await page.getByLabel('CVC').fill('123');
      await page.getByRole('button', { name: /^Pay / }).click();
      await page.waitForURL(`${shop.url}/thanks`);
      const { status } = await client.api('getTopUp', { path: { topUpId: topUp.id } });
      const call = fetch(`${balancer.url}/vendors?name=Some`, {
        headers: { Authorization: 'Bearer key_test_emulator' },
      });
      await inspector.getByText('/vendors').first().waitFor();
      await (await call).text();
      await Promise.all([balancer.close(), shop.close()]);

      expect(status).toBe('succeeded');
    });
  },
);
