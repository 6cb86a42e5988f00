import { api, aSubscriber, aVendor, check, expect, usageEvent, uuid } from '../kit/index.ts';
import { statsOf } from './shared/customer-stats.ts';
import { aPayer, price, stored, submit } from './shared/events.ts';

check(
  'PRD-11',
  { requirement: ['R-PRD-39', 'R-PRD-40'], level: 'IMPLIED', effect: 'E1' },
  'simulate-usage → 200 and wallet, events, stats unchanged (test usage)',
  async () => {
    const { customer, product } = await aSubscriber();
    const event = usageEvent(product.eventType);
    const path = { productId: product.id, version: String(product.version) };
    const seen = async () => [
      await api('getWallet', { path: { customerId: customer.id } }, 200),
      await statsOf(customer),
    ];
    const before = await seen();
    const body = { customer_id: customer.id, events: [event] } as never;
    await api('simulateUsage', { path, body }, 200);

    expect(await seen()).toEqual(before);
    await api('getEvent', { path: { eventId: event.id } }, 404);
  },
);

check(
  'PRD-12',
  { requirement: ['R-PRD-40', 'R-PRD-41', 'R-PRD-57'], level: 'IMPLIED', effect: 'E3' },
  'three events of two prices simulated twice, submitted in one batch with a cost, and simulated again → the same fees of each in turn, and those of the stored events; body shape ASSUMED',
  async () => {
    const { customer, product, eventType } = await aPayer((type) => [
      price(type, 'unit', [{ unit_price: 0.5, dimensions: { model: '*' } }], {
        billable_dimensions: ['model'],
      }),
      price(type, 'volume', [{ volume_rate: 0.003, package_size: 10 }]),
    ]);
    const { id: vendor_id } = await aVendor();
    const costs = [{ id: uuid(), vendor_id, amount: 0.1 }];
    const events = [5, 'none', 70].map((tokens) =>
      usageEvent(eventType, {
        data: { tokens, model: 'large' },
        costs: tokens === 5 ? costs : [],
      }),
    );
    const simulate = async (version: string) => {
      const path = { productId: product.id, version };
      return (await api('simulateUsage', { path, body: { events } as never }, 200)).fees;
    };
    const first = await simulate('default');

    // 0.5 and 5 ÷ 10 × 0.003; 0.5; 0.5 and 70 ÷ 10 × 0.003.
    expect(first.map(({ amount }) => amount)).toEqual([0.5, 0.0015, 0.5, 0.5, 0.021]);
    expect(await simulate('1')).toEqual(first);
    await submit(customer, ...events);
    expect(await simulate('default')).toEqual(first);
    const real = await Promise.all(events.map(({ id }) => stored(id)));
    const charged = real.flatMap(({ id, fees }) => fees.map((fee) => ({ ...fee, usage_id: id })));
    expect(first[0]?.dimensions).toEqual({ model: 'large' });
    for (const field of [
      ...(['usage_id', 'price_id', 'price_name', 'currency', 'usage_type', 'amount'] as const),
      ...(['dimensions', 'unit_price', 'volume_rate', 'package_size'] as const),
    ])
      expect(
        first.map((fee) => fee[field] ?? null),
        field,
      ).toEqual(charged.map((fee) => fee[field] ?? null));
    expect(real[0]?.costs).toMatchObject(costs);
  },
);
