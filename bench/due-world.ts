import type { Emulator } from '../src/main.ts';
import { completePayment } from '../src/resources/payments/payments.ts';
import type { World } from '../src/store/world.ts';

interface Answer {
  readonly id: string;
}

const PLAN = {
  name: 'Plan',
  code: 'plan',
  publish: true,
  prices: [
    {
      name: 'Fee',
      type: 'fixed',
      billing_model: { type: 'recurring', recurring: { interval: 'month' } },
      pricing: [{ asset: 'USD', values: [{ unit_price: 20 }] }],
    },
  ],
  entitlements: [
    {
      name: 'Credits',
      asset: 'CREDIT',
      amount: 1000,
      purpose: 'bundled',
      lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
    },
  ],
};
const URLS = { return_url: 'https://example.com/done', failure_url: 'https://example.com/no' };

/** Fills a world with paid subscriptions whose renewals and refreshes are due each month. */
export function seedDue(emulator: Emulator, name: string, subscriptions: number): World {
  const world = emulator.worlds.find(`key_test_${name}`) as World;
  const target = emulator.targetOf(world);
  const send = (call: string, body: object, path = {}): Answer => {
    const reply = target.send({ call, body, path }) as { status: number; body: Answer };
    if (reply.status >= 300) throw new Error(`${call}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  send('createAsset', { code: 'CREDIT', name: 'Credits' });
  send('createProduct', PLAN);
  for (let count = 0; count < subscriptions; count += 1) {
    const { id: customerId } = send('createCustomer', { name: `Customer ${count}` });
    send('createSubscription', { products: [{ code: 'plan' }], ...URLS }, { customerId });
  }
  const { accountId: owner, tables, now } = world;
  const context = { world, tables, owner, now, settings: emulator.settings, baseUrl: '' };
  for (const { id } of [...tables.subscriptions.values()])
    world.commit(() => completePayment(context, id, { outcome: 'succeeded' }));
  return world;
}
