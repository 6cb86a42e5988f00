import { randomUUID } from 'node:crypto';
import { createClient } from '../src/client/client.ts';
import { createEmulator } from '../src/emulator.ts';
import { usagePrice } from '../src/testing/usage.ts';
import { report } from './load.ts';

/** The emulator as it is started, with 201 customers beside those of the quickstart fixture. */
const emulator = createEmulator({
  settings: {
    port: 0,
    clock: 'frozen',
    clock_now: '2026-01-15T12:00:00Z',
    sandbox_fixture: 'quickstart',
  },
});
const url = await emulator.listen();
const client = createClient({ url, key: 'key_test_bench' });
let customer = '';
for (let count = 0; count < 200; count += 1) {
  const body = { name: `Customer ${count}`, external_id: `customer-${count}` };
  customer = (await client.call('createCustomer', { body })).id;
}
await addMeteredCustomer();
report(url, { customer });

/** A customer of whose events each has three fees, drawn from credit. */
async function addMeteredCustomer(): Promise<void> {
  const prices = [1, 2, 3].map((unit_price) => usagePrice({ values: [{ unit_price }] }));
  const product = { name: 'Metered', code: 'metered', publish: true, prices };
  const { id } = await client.call('createProduct', { body: product as never });
  const subscriptions = [{ products: [{ id }], starts_at: '2025-11-01T00:00:00Z' }];
  const metered = { name: 'Metered', external_id: 'metered', subscriptions };
  const { id: customerId } = await client.call('createCustomer', { body: metered });
  const credit = { transaction_id: randomUUID(), asset: 'USD', amount: 1e12 };
  const body = { ...credit, reason: 'external_topup' } as const;
  await client.call('adjustWallet', { path: { customerId }, body });
}
