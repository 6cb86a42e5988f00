import { aFreshCustomer, aFreshProduct, check, describe, expect, unique } from '../kit/index.ts';
import { pageOf, walk } from './shared/lists.ts';
import { subscribe, to } from './shared/subscriptions.ts';

describe('listCustomers by status', () => {
  // CUS-56: active customers between inactive ones, by status alone and of one e-mail, walked → each once, and counted
  // over all pages
  check('CUS-56', async () => {
    const email = `${unique('mail')}@example.com`;
    const product = await aFreshProduct();
    const made = { active: [] as string[], inactive: [] as string[] };
    for (const status of [
      'active',
      'inactive',
      'inactive',
      'active',
      'inactive',
      'active',
    ] as const) {
      const customer = await aFreshCustomer({ email });
      if (status === 'active') await subscribe(customer, to(product));
      made[status].push(customer.id);
    }
    for (const status of ['active', 'inactive'] as const) {
      const list = 'listCustomers';
      await walk({ list, query: { email, status } }, made[status]);
      await walk({ list, query: { status } });
      const { items } = await pageOf({ list, query: { status } }, { limit: 3 });
      for (const { active_subscription_count: count } of items)
        expect(Number(count) > 0 ? 'active' : 'inactive').toBe(status);
    }
  });
});
