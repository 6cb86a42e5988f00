import {
  aFreshCustomer,
  aFreshProduct,
  api,
  aSubscriber,
  type Body,
  call,
  check,
  describe,
  expect,
  unknownId,
  usageEvent,
} from '../kit/index.ts';
import { ENTITLEMENT } from './shared/products.ts';

describe('listSubscribers', () => {
  // PRD-09: subscribers page lists the subscribed customer
  check('PRD-09', async () => {
    const { customer, product } = await aSubscriber();
    const path = { productId: product.id };
    const { items } = await api('listSubscribers', { path, query: { limit: 1000 } }, 200);

    expect(items).toContainEqual(expect.objectContaining({ customer_id: customer.id }));
    const past = await api('listSubscribers', { path, query: { offset: 100_000 } }, 200);
    const none = await api('listSubscribers', { path: { productId: unknownId('prp') } }, 200);
    expect(past.items).toEqual([]);
    expect(none.items).toEqual([]);
  });
});

describe('simulateUsage', () => {
  // PRD-11: simulate-usage → 200 and wallet, events, stats unchanged (test usage)
  check('PRD-11', async () => {
    const { customer, product } = await aSubscriber();
    const event = usageEvent(product.eventType);
    const path = { productId: product.id, version: String(product.version) };
    const seen = async () => [
      await api('getWallet', { path: { customerId: customer.id } }, 200),
      await api('getCustomerStats', { path: { customerId: customer.id } }, 200),
    ];
    const before = await seen();
    const body = { customer_id: customer.id, events: [event] } as never;
    await api('simulateUsage', { path, body }, 200);

    expect(await seen()).toEqual(before);
    await api('getEvent', { path: { eventId: event.id } }, 404);
  });

  // PRD-12: simulated fees equal the fees of the same real event; body shape ASSUMED
  check('PRD-12', async () => {
    const { customer, product } = await aSubscriber();
    const event = usageEvent(product.eventType);
    const path = { productId: product.id, version: String(product.version) };
    const { fees } = await api('simulateUsage', { path, body: { events: [event] } as never }, 200);
    const body = { customer_id: customer.id, events: [event] } as never;
    await call('submitEvents', { body }, [204]);
    const real = await api('getEvent', { path: { eventId: event.id } }, 200);

    type Charged = Body<'getEvent', 200>['fees'][number] | (typeof fees)[number];
    const said = ({ price_id, price_name, currency, usage_type, amount }: Charged) => [
      price_id,
      price_name,
      currency,
      usage_type,
      amount,
    ];
    expect(fees.map(said)).toEqual(real.fees.map(said));
    expect(fees.map(({ usage_id }) => usage_id)).toEqual([event.id]);
    expect(real.fees.map(({ amount }) => amount)).toEqual([0.25]);
  });
});

describe('entitlements', () => {
  // PRD-26: subscription to a version with an entitlement → bundled or promotion grant of the
  // amount
  check('PRD-26', async () => {
    const product = await aFreshProduct({
      entitlements: [
        { ...ENTITLEMENT, amount: 5 },
        { ...ENTITLEMENT, name: 'Welcome', amount: 2, purpose: 'promotion' },
      ],
    });
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id };
    await api('createSubscription', { path, body: { products: [{ id: product.id }] } }, 201);
    const { items } = await api('listGrants', { path: { ...path, accountId: 'default:USD' } }, 200);

    expect(items.map(({ available, purpose }) => [available, purpose])).toEqual([
      [2, 'promotion'],
      [5, 'bundled'],
    ]);
  });
});
