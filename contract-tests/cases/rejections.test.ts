import {
  aCustomerWorld,
  aFixedPrice,
  aUnitPrice,
  check,
  expect,
  type OperationId,
  type WorldCall,
} from '../kit/index.ts';
import { ENTITLEMENT } from './shared/products.ts';

const [url, renews_at, ODD] = ['https://127.0.0.1:9/a', '2026-05-01T00:00:00Z', { odd: 1 }];
const FREE = [aUnitPrice('call')];
const HOOK = { url: `${url}b`, topics: ['contract.unheard_of'] };
const TERMS = { return_url: url, failure_url: url, redirect_to: 'portal', renews_at };
const ADA = { name: 'Eve', external_id: 'eve', email: 'e@example.com', metadata: { a: 'b' } };
const DRAFT = { prices: [aFixedPrice()], entitlements: [ENTITLEMENT] };
const HOOKS = [{ url: 'no' }, { topics: ['*', 'A b'] }, ODD];
const PEOPLE = [{ external_id: 'bob' }, { email: 'no' }, { metadata: 1 }];
const TIMES = [{ renews_at: '2026-02-01T00:00:00Z' }, { return_url: 'no' }];

/** A write, what is right in its body, wrong parts beside that, and a read that shows what it must not change. */
interface Write {
  readonly operation: OperationId;
  readonly path?: Readonly<Record<string, string>>;
  readonly right: object;
  readonly wrong: readonly object[];
  readonly read: () => Promise<unknown>;
}

/** Sends each wrong part beside all right ones, which must change nothing, and then the right ones alone, which must. */
async function expectNoChange(
  call: WorldCall,
  { operation, path = {}, right, wrong, read }: Write,
): Promise<void> {
  const before = await read();
  for (const part of wrong)
    await call(operation, { path, body: { ...right, ...part } }, [400, 409, 422]);
  expect(await read(), `${operation}: after ${wrong.length} rejected`).toEqual(before);
  await call(operation, { path, body: right });
  expect(await read(), `${operation}: after one accepted`).not.toEqual(before);
}

check(
  'X-79',
  {
    requirement: 'R-ERR-28',
    effect: 'E4',
    assumes: 'A-203 A-601 A-606 A-607',
    needs: 'clock.movable',
  },
  'a destination, a customer and subscriptions, each updated and added to an hour later, with one invalid field beside valid ones → rejected, every field as before, times too',
  async (t) => {
    const { call, until, path, product, version, subscribe } = await aCustomerWorld(t);
    const { id: webhookId } = await call('createWebhook', { body: { url } });
    const id = await product({ prices: FREE });
    await version(id, DRAFT);
    await call('createCustomer', { body: { name: 'Bob', external_id: 'bob' } });
    const add = async (version: number) => {
      const made = await subscribe([{ id, version }]);
      return { ...path, subscriptionId: made.id };
    };
    const [running, unpaid] = [await add(1), await add(2)];
    await until('2026-03-01T13:00:00.000Z');
    const webhooks = () => call('listWebhooks', {});
    const people = async () => [await call('listCustomers', {}), await customer()];
    const customer = () => call('getCustomer', { path });
    const used = { ...TERMS, products: [{ id, version: 1 }] };
    const hook = { ...HOOK, enabled: false };
    const ending = { ...TERMS, status: 'inactive' };
    const writes: readonly Write[] = [
      {
        ...{ operation: 'updateWebhook', path: { webhookId }, right: hook },
        ...{ wrong: [...HOOKS, { enabled: 1 }], read: webhooks },
      },
      { operation: 'updateCustomer', path, right: ADA, wrong: [...PEOPLE, ODD], read: people },
      {
        ...{ operation: 'updateSubscription', path: running, right: ending },
        ...{ wrong: [...TIMES, ODD], read: customer },
      },
      {
        ...{ operation: 'updateSubscription', path: unpaid, right: TERMS },
        ...{ wrong: [...TIMES, { status: 'active' }], read: customer },
      },
      {
        ...{ operation: 'createSubscription', path, right: used },
        ...{ wrong: [...TIMES, { products: [{ id, version: 3 }] }], read: customer },
      },
    ];
    for (const write of writes) await expectNoChange(call, write);
  },
);
