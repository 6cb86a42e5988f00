import {
  aCustomer,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  amount,
  anAdjustment,
  api,
  aSubscriber,
  aUnitPrice,
  aUsageEvent,
  aVendor,
  type Body,
  call,
  check,
  describe,
  expect,
  now,
  type OwnCustomer,
  Rational,
  refused,
  send,
  today,
  unique,
  uniqueSubject,
  unknownId,
  usageEvent,
  uuid,
} from '../kit/index.ts';

type Stored = Body<'getEvent', 200>;
type Listed = Body<'listEvents', 200>['items'][number];

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

async function stored(eventId: string): Promise<Stored> {
  return api('getEvent', { path: { eventId } }, 200);
}

async function listed(query: object): Promise<Listed[]> {
  const { items } = await api('listEvents', { query: { limit: 1000, ...query } as never }, 200);
  return items;
}

async function submit(customer: OwnCustomer, ...events: object[]): Promise<void> {
  await api('submitEvents', { body: { customer_id: customer.id, events: events as never } }, 204);
}

function refuse(customer: OwnCustomer, events: unknown) {
  return refused('submitEvents', { body: { customer_id: customer.id, events } });
}

async function balance(customer: OwnCustomer, accountId = 'default:USD'): Promise<Rational> {
  const { accounts } = await api('getWallet', { path: { customerId: customer.id } }, 200);
  const account = accounts.find(({ id }) => id === accountId);
  return account ? amount(account, 'available') : Rational.of(0);
}

/** A price by usage type, over one event type, in USD. */
function price(eventType: string, usage_type: string, values: object[], more: object = {}): object {
  return {
    name: 'Usage',
    type: 'usage_based',
    billing_model: { type: 'real_time' },
    usage_calculation: {
      event_type: eventType,
      usage_type,
      ...(usage_type !== 'unit' && { volume_field: 'tokens' }),
      ...more,
    },
    pricing: [{ asset: 'USD', values }],
  };
}

/** A customer without a past who pays by these prices. */
async function aPayer(pricesOf: (eventType: string) => object[]) {
  const eventType = `contract.${unique('use')}`;
  const product = await aFreshProduct({ prices: pricesOf(eventType) });
  const customer = await aFreshCustomer();
  const body = { products: [{ id: product.id }] };
  await api('createSubscription', { path: { customerId: customer.id }, body }, 201);
  return { customer, product, eventType };
}

const amounts = ({ fees }: Pick<Stored, 'fees'>) =>
  fees.map((fee) => String(amount(fee, 'amount')));

function omit(whole: object, name: string): object {
  return Object.fromEntries(Object.entries(whole).filter(([field]) => field !== name));
}

/** The largest count up to `most` that is accepted, where everything up to some count is. */
async function largest(most: number, isAccepted: (count: number) => Promise<boolean>) {
  let [known, refused] = [0, most + 1];
  while (refused - known > 1) {
    const middle = Math.floor((known + refused) / 2);
    if (await isAccepted(middle)) known = middle;
    else refused = middle;
  }
  return known;
}

describe('submitEvents', () => {
  check('EVT-01', async () => {
    const { customer, product } = await aSubscriber();
    const event = usageEvent(product.eventType);
    const body = { customer_id: customer.id, events: [event] as never };
    const { text } = await call('submitEvents', { body }, [204]);
    const shown = await stored(event.id);

    expect(text).toBe('');
    expect(shown).toMatchObject({
      id: event.id,
      customer_id: customer.id,
      event_type: product.eventType,
    });
    expect(Date.parse(shown.occurred_at)).not.toBeNaN();
    expect(Date.parse(shown.created_at)).not.toBeNaN();
    expect(Array.isArray(shown.fees)).toBe(true);
  });

  check('EVT-02', async () => {
    const { customer, product } = await aSubscriber();
    const event = usageEvent(product.eventType);
    await submit(customer, event);
    const [first, left] = [await stored(event.id), await balance(customer)];
    await submit(customer, event);
    await submit(customer, event, event);

    expect(await stored(event.id)).toEqual(first);
    expect((await balance(customer)).compare(left)).toBe(0);
    expect(await listed({ event_id: event.id })).toHaveLength(1);
  });

  check('EVT-03', async () => {
    const { customer, product } = await aSubscriber();
    const event = usageEvent(product.eventType);
    const body = { customer_external_id: customer.external_id, events: [event] as never };
    await api('submitEvents', { body }, 204);
    await refused('submitEvents', { body: { events: [usageEvent(product.eventType)] } });

    expect((await stored(event.id)).customer_id).toBe(customer.id);
  });

  check('EVT-04', async () => {
    await refuse(await aCustomer(), [usageEvent('contract.call', { id: 'not-a-uuid' })]);
  });

  check('EVT-05', async () => {
    const customer = await aCustomer();
    const data = { model: 'large', tokens: 12.5, cached: true };
    const event = await aUsageEvent(customer, 'contract.unpriced', { data });
    await refuse(customer, [usageEvent('contract.unpriced', { data: { deep: { er: 1 } } })]);

    expect((await stored(event.id)).data).toEqual(data);
  });

  check('EVT-15', async () => {
    const customer = await aCustomer();
    const vendor = await aVendor();
    const cost = (changes: object) => ({ id: uuid(), amount: 0.5, ...changes });
    const event = await aUsageEvent(customer, 'contract.unpriced', {
      costs: [cost({ vendor_id: vendor.id }), cost({ vendor_external_id: vendor.external_id })],
    });
    await refuse(customer, [usageEvent('contract.unpriced', { costs: [cost({})] })]);
    const { costs } = await stored(event.id);

    expect(costs?.map(({ currency }) => currency)).toEqual(['USD', 'USD']);
    expect(costs?.map(({ vendor_id }) => vendor_id)).toEqual([vendor.id, vendor.id]);
  });

  check('EVT-17', async (t) => {
    const customer = await aCustomer();
    const good = usageEvent('contract.unpriced');
    const bad = usageEvent('contract.unpriced', { id: 'not-a-uuid' });
    const { status } = await send('submitEvents', {
      body: { customer_id: customer.id, events: [good, bad] },
    });
    const found = await listed({ event_id: good.id });
    t.observe('batch with a bad event', `${status}, ${found.length} stored`);

    expect(status).not.toBe(204);
    expect(found).toEqual([]);
  });

  check('EVT-18', async (t) => {
    const customer = await aCustomer();
    const isAccepted = async (offsetMs: number) => {
      const event = usageEvent('contract.unpriced', { occurred_at: now(offsetMs) });
      const body = { customer_id: customer.id, events: [event] };
      return (await send('submitEvents', { body })).status === 204;
    };
    // Half a unit less, so that the time a request takes does not matter.
    const days = await largest(400, (count) => isAccepted((0.5 - count) * DAY_MS));
    const minutes = await largest(200, (count) => isAccepted((count - 0.5) * MINUTE_MS));
    t.observeSetting('event_max_age', `P${days}D`);
    t.observeSetting('event_max_ahead', `PT${minutes}M`);

    expect([days, minutes]).toEqual([34, 5]);
  });

  check('EVT-19', async () => {
    const { customer, product } = await aSubscriber();
    const event = usageEvent(product.eventType);
    await submit(customer, event);
    const first = await stored(event.id);
    await submit(customer, { ...event, description: 'Other', data: { tokens: 5 } });

    expect(await stored(event.id)).toEqual(first);
  });

  check('EVT-20', async () => {
    const customer = await aCustomer();
    const { id: vendor_id } = await aVendor();
    const cost = { id: uuid(), vendor_id, amount: 1 };
    const bad = [omit(cost, 'id'), { ...cost, id: 'not-a-uuid' }, omit(cost, 'amount')];
    for (const one of bad) await refuse(customer, [usageEvent('contract.c', { costs: [one] })]);
  });

  check('EVT-21', async () => {
    const customer = await aCustomer();
    const moment = now(-60_000);
    const local = new Date(Date.parse(moment) + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    const event = await aUsageEvent(customer, 'contract.unpriced', { occurred_at: local });

    expect((await stored(event.id)).occurred_at).toBe(moment);
  });

  check('EVT-23', async () => {
    const customer = await aCustomer();
    await refuse(customer, []);
    await refuse(
      customer,
      Array.from({ length: 1001 }, () => usageEvent('contract.unpriced')),
    );
  });

  check('EVT-25', async () => {
    const customer = await aCustomer();
    await refuse(customer, undefined);
    await refuse(customer, 'none');
    for (const field of ['id', 'event_type', 'occurred_at'])
      await refuse(customer, [omit(usageEvent('contract.unpriced'), field)]);
  });

  check('EVT-30', async () => {
    const { id, external_id } = await aCustomer();
    const events = [usageEvent('contract.unpriced')];
    await refused('submitEvents', {
      body: { customer_id: id, customer_external_id: external_id, events },
    });
  });

  check('EVT-31', async () => {
    const customer = await aCustomer();
    const { id: vendor_id } = await aVendor();
    const cost = { id: uuid(), amount: 1 };
    const bad = [
      { ...cost, vendor_id: unknownId('vnd') },
      { ...cost, vendor_id, vendor_external_id: unique('other') },
    ];
    for (const one of bad) await refuse(customer, [usageEvent('contract.c', { costs: [one] })]);
  });

  check('EVT-36', async () => {
    const [customer, other] = [await aCustomer(), await aCustomer('other')];
    const event = await aUsageEvent(customer, 'contract.unpriced');
    await refuse(other, [usageEvent('contract.unpriced', { id: event.id })]);

    expect((await stored(event.id)).customer_id).toBe(customer.id);
  });
});

describe('fees', () => {
  check('EVT-06', async () => {
    const { customer, product } = await aSubscriber();
    const { fees } = await stored((await aUsageEvent(customer, product.eventType)).id);

    expect(fees).toHaveLength(1);
    expect(fees[0]).toMatchObject({
      id: expect.stringMatching(/^fee_/),
      product_id: product.id,
      product_code: product.code,
      product_version: product.version,
      price_id: expect.stringMatching(/^prc_/),
      price_name: 'Calls',
      currency: 'USD',
      usage_type: 'unit',
      amount: 0.25,
    });
  });

  check('EVT-07', async () => {
    const volume = { volume_rate: 1.25, package_size: 1_000_000 };
    const { customer, eventType } = await aPayer((type) => [
      price(type, 'unit', [{ unit_price: 0.1 }]),
      price(type, 'volume', [volume]),
      price(type, 'unit_and_volume', [{ unit_price: 0.1, volume_rate: 0.02 }]),
    ]);
    const event = await aUsageEvent(customer, eventType, { data: { tokens: 1234 } });
    const shown = await stored(event.id);

    // 0.1; 1234 × 1.25 ÷ 1,000,000; 0.1 + 1234 × 0.02.
    expect(amounts(shown)).toEqual(['0.1', '0.0015425', '24.78']);
    expect(shown.fees[1]).toMatchObject({ volume_field: 'tokens', input_volume: 1234, ...volume });
  });

  check('EVT-08', async () => {
    const { customer, eventType } = await aPayer((type) => [
      price(type, 'volume', [{ volume_rate: 10, package_size: 1_000_000 }]),
      price(type, 'unit', [{ unit_price: 0.03 }]),
    ]);
    const before = await balance(customer);
    await aUsageEvent(customer, eventType, { data: { tokens: 777 } });

    // 777 × 10 ÷ 1,000,000 + 0.03.
    expect(String(before.minus(await balance(customer)))).toBe('0.03777');
  });

  check('EVT-09', async () => {
    const values = [
      { dimensions: { model: 'large' }, unit_price: 3 },
      { dimensions: { model: '*' }, unit_price: 2 },
    ];
    const { customer, eventType } = await aPayer((type) => [
      price(type, 'unit', values, { billable_dimensions: ['model'] }),
    ]);
    const large = await aUsageEvent(customer, eventType, { data: { model: 'large' } });
    const small = await aUsageEvent(customer, eventType, { data: { model: 'small' } });
    const [one, other] = [await stored(large.id), await stored(small.id)];

    expect([amounts(one), amounts(other)]).toEqual([['3'], ['2']]);
    expect(one.fees[0]?.dimensions).toEqual({ model: 'large' });
    expect(Object.keys(other.fees[0]?.dimensions ?? {})).toEqual(['model']);
  });

  check('EVT-10', async () => {
    const { customer } = await aSubscriber();
    const { id } = await aUsageEvent(customer, `contract.${unique('unpriced')}`);
    const [item] = await listed({ event_id: id });

    expect((await stored(id)).fees).toEqual([]);
    expect(item?.has_fees).toBe(false);
  });

  check('EVT-11', async () => {
    const { customer, product, eventType } = await aPayer((type) => [
      price(type, 'unit', [{ unit_price: 1 }]),
    ]);
    const next = { prices: [aUnitPrice(eventType, 9)], publish: true, make_default: true };
    await api(
      'createProductVersion',
      { path: { productId: product.id }, body: next as never },
      201,
    );
    const { fees } = await stored((await aUsageEvent(customer, eventType)).id);

    expect(fees.map((fee) => [fee.product_version, fee.amount])).toEqual([[1, 1]]);
  });

  check('EVT-32', async () => {
    const values = [
      { dimensions: { region: '*', tier: '*' }, unit_price: 1 },
      { dimensions: { region: 'eu', tier: '*' }, unit_price: 2 },
      { dimensions: { region: 'eu', tier: 'gold' }, unit_price: 4 },
    ];
    const dimensions = { billable_dimensions: ['region', 'tier'] };
    for (const order of [values, [...values].reverse()]) {
      const { customer, eventType } = await aPayer((type) => [
        price(type, 'unit', order, dimensions),
      ]);
      const fee = async (data: object) =>
        amounts(await stored((await aUsageEvent(customer, eventType, { data })).id));

      expect(await fee({ region: 'eu', tier: 'gold' })).toEqual(['4']);
      expect(await fee({ region: 'eu', tier: 'silver' })).toEqual(['2']);
      expect(await fee({ region: 'us' })).toEqual(['1']);
    }
  });

  check('EVT-33', async () => {
    const { customer, eventType } = await aPayer((type) => [
      price(type, 'volume', [{ volume_rate: 1 }]),
    ]);
    for (const data of [{}, { tokens: -1 }, { tokens: 'ten' }])
      expect((await stored((await aUsageEvent(customer, eventType, { data })).id)).fees).toEqual(
        [],
      );
  });

  check('EVT-34', async () => {
    const { code } = await aFreshAsset({ precision: 2 });
    const { customer, eventType } = await aPayer((type) => [
      {
        ...price(type, 'unit', []),
        pricing: [
          { asset: code, values: [{ unit_price: 1 }] },
          { asset: 'USD', values: [{ unit_price: 2 }] },
        ],
      },
    ]);
    const paidIn = async () =>
      (await stored((await aUsageEvent(customer, eventType)).id)).fees.map((fee) => fee.currency);

    expect(await paidIn()).toEqual([code]);
    await anAdjustment(customer, { amount: 3 });
    expect(await paidIn()).toEqual(['USD']);
  });

  check('EVT-35', async () => {
    const { customer, product, eventType } = await aPayer((type) => [
      price(type, 'unit', [{ unit_price: 1 }]),
      price(type, 'unit', [{ unit_price: 2 }]),
    ]);
    const body = { products: [{ id: product.id }] };
    await api('createSubscription', { path: { customerId: customer.id }, body }, 201);
    const event = await aUsageEvent(customer, eventType);

    expect(amounts(await stored(event.id))).toEqual(['1', '2']);
  });
});

describe('listEvents', () => {
  check('EVT-12', async () => {
    const customer = await aCustomer();
    const subject = uniqueSubject();
    const early = await aUsageEvent(customer, 'contract.unpriced', { subject });
    const late = { subject, occurred_at: now(-DAY_MS) };
    const second = await aUsageEvent(customer, 'contract.unpriced', late);

    expect((await listed({ subject })).map(({ id }) => id)).toEqual([second.id, early.id]);
  });

  check('EVT-13', async () => {
    const { customer, product } = await aSubscriber();
    const other = await aCustomer('other');
    const subject = uniqueSubject();
    const priced = await aUsageEvent(customer, product.eventType, { subject });
    const free = await aUsageEvent(customer, 'contract.free', { subject });
    const foreign = await aUsageEvent(other, product.eventType, { subject });
    const find = async (query: object) =>
      new Set((await listed({ subject, ...query })).map(({ id }) => id));
    const ids = (...events: { id: string }[]) => new Set(events.map(({ id }) => id));

    expect(await find({})).toEqual(ids(priced, free, foreign));
    expect(await find({ event_id: free.id })).toEqual(ids(free));
    expect(await find({ customer_id: customer.id })).toEqual(ids(priced, free));
    expect(await find({ customer_external_id: other.external_id })).toEqual(ids(foreign));
    expect(await find({ customer_id: customer.id, has_fees: true })).toEqual(ids(priced));
    expect(await find({ customer_id: customer.id, has_fees: false })).toEqual(ids(free));
    expect(await find({ event_types: ['contract.free'] })).toEqual(ids(free));
    expect(await find({ period_from: today(), period_to: today() })).toEqual(
      ids(priced, free, foreign),
    );
    expect(await find({ period_from: today(1), period_to: today(1) })).toEqual(ids());
    expect(await find({ subject: uniqueSubject() })).toEqual(ids());
  });

  check('EVT-14', async () => {
    const customer = await aCustomer();
    const subject = uniqueSubject();
    for (const type of ['contract.a', 'contract.b', 'contract.c'])
      await aUsageEvent(customer, type, { subject });
    const types = async (...event_types: string[]) =>
      (await listed({ subject, event_types })).map((event) => event.event_type).sort();

    expect(await types('contract.a', 'contract.b')).toEqual(['contract.a', 'contract.b']);
    expect(await types('contract.c')).toEqual(['contract.c']);
  });

  check('EVT-22', async () => {
    const customer = await aCustomer();
    const subject = uniqueSubject();
    await aUsageEvent(customer, 'contract.unpriced', {
      subject,
      occurred_at: `${today(-2)}T23:59:59.999Z`,
    });
    const found = async (day: number) =>
      (await listed({ subject, period_from: today(day), period_to: today(day) })).length;

    expect([await found(-3), await found(-2), await found(-1), await found(0)]).toEqual([
      0, 1, 0, 0,
    ]);
  });

  check('EVT-26', async () => {
    const customer = await aCustomer();
    const said = { subject: uniqueSubject(), description: 'Contract usage' };
    const { id } = await aUsageEvent(customer, 'contract.unpriced', said);

    expect(await stored(id)).toMatchObject(said);
    expect((await listed({ event_id: id }))[0]).toMatchObject(said);
  });

  check('EVT-27', async () => {
    const { customer, product } = await aSubscriber();
    const event = await aUsageEvent(customer, product.eventType);
    const [item] = await listed({ event_id: event.id });
    const shown = await stored(event.id);

    expect(item).toMatchObject({
      id: event.id,
      customer_id: customer.id,
      external_id: customer.external_id,
      event_type: product.eventType,
      occurred_at: shown.occurred_at,
      created_at: shown.created_at,
      has_fees: true,
      subject: shown.subject,
      stats: shown.stats,
    });
  });

  check('EVT-28', async () => {
    const { customer, eventType } = await aPayer((type) => [
      price(type, 'unit', [{ unit_price: 0.1 }]),
      price(type, 'unit', [{ unit_price: 0.2 }]),
    ]);
    const { id } = await aUsageEvent(customer, eventType);
    const [item] = await listed({ event_id: id });

    expect(String(amount(item as Listed, 'total_fees'))).toBe('0.3');
    expect(item?.fee_currency).toBe('USD');
  });
});

describe('costs and stats', () => {
  check('EVT-16', async () => {
    const { customer, eventType } = await aPayer((type) => [
      price(type, 'unit', [{ unit_price: 0.1 }]),
      price(type, 'unit', [{ unit_price: 0.2 }]),
    ]);
    const vendor = await aVendor();
    const cost = (amount: number) => ({ id: uuid(), vendor_id: vendor.id, amount });
    const costs = [cost(0.07), cost(0.01)];
    const { stats } = await stored((await aUsageEvent(customer, eventType, { costs })).id);
    const sums = stats as NonNullable<typeof stats>;

    expect(String(amount(sums, 'gross_revenue'))).toBe('0.3');
    expect(String(amount(sums, 'total_costs'))).toBe('0.08');
    expect(String(amount(sums, 'net_revenue'))).toBe('0.22');
  });

  check('EVT-24', async () => {
    const { customer, eventType } = await aPayer((type) => [
      price(type, 'unit', [{ unit_price: 0.5 }]),
    ]);
    await anAdjustment(customer, { amount: 5, reason: 'gift' });
    const { stats, fees } = await stored((await aUsageEvent(customer, eventType)).id);

    expect(fees[0]?.amount).toBe(0.5);
    expect(stats?.gross_revenue).toBe(0);
  });

  check('EVT-29', async () => {
    const customer = await aCustomer();
    const vendor = await aVendor();
    const cost = {
      id: uuid(),
      vendor_id: vendor.id,
      amount: 0.5,
      category: 'compute',
      description: 'Machine time',
      metadata: { region: 'eu', retries: 2, spot: true },
      units: 2,
      unit_price: 0.1,
      input_volume: 300,
      volume_rate: 1,
      package_size: 1000,
      currency: 'USD',
    };
    const { id } = await aUsageEvent(customer, 'contract.unpriced', { costs: [cost] });

    expect((await stored(id)).costs).toEqual([expect.objectContaining(cost)]);
  });
});
