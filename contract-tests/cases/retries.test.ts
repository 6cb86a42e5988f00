import {
  adjustment,
  aFreshCustomer,
  anAsset,
  api,
  aVendor,
  call,
  check,
  expect,
  now,
  refused,
  table,
  uniqueSubject,
  unknownId,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { statsOf } from './shared/customers.ts';
import {
  aNewVendor,
  aPayer,
  aPayerOf,
  listed,
  priced,
  stored,
  submit,
  vendorStats,
} from './shared/events.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS, HOUR_MS } from './shared/times.ts';
import { caseSpellings } from './shared/values.ts';
import { balance, charge, refusedAsOther } from './shared/wallets.ts';

/** Numbers in other notations. */
const OTHER_DIGITS: Readonly<Record<string, readonly string[]>> = {
  '2.5': ['2.50'],
  '0.5': ['5e-1'],
  '250': ['2.5E+2'],
};

const reversed = (whole: object) => Object.fromEntries(Object.entries(whole).reverse());

/** Texts of JSON with the content of a body: keys in other orders, other notations, escapes and spaces. */
function inOtherWords(body: Readonly<Record<string, unknown>>): readonly string[] {
  const whole = JSON.stringify(body);
  const metadata = reversed(body['metadata'] as object);
  const sorted = Object.fromEntries(
    Object.entries(body).sort(([one], [two]) => (one < two ? -1 : 1)),
  );
  const numbers = Object.entries(OTHER_DIGITS).flatMap(([digits, others]) =>
    others.map((other) => whole.replaceAll(`:${digits}`, `:${other}`)),
  );
  const moved = (text: string, offset: string, hours: number) =>
    text.replace(/"(\d{4}-[^"]+Z)"/g, (_, at: string) => {
      const local = new Date(Date.parse(at) + hours * 3_600_000).toISOString();
      return `"${local.replace('Z', offset)}"`;
    });
  return [
    whole,
    ...[reversed({ ...body, metadata }), sorted].map((each) => JSON.stringify(each)),
    ...numbers,
    whole.replaceAll('é', '\\u00e9').replaceAll('"asset"', '"\\u0061sset"'),
    whole.replace('{', '{"metadata":{"other":"one"},"asset":"EUR",'),
    moved(whole, '+02:00', 2),
    whole.replaceAll(/(\.\d{3})Z"/g, '$1000z"'),
    JSON.stringify({ ...body, transaction_id: String(body['transaction_id']).toUpperCase() }),
  ];
}

const TEXTS = { description: 'Café', metadata: { b: '1', a: '2', '10': 'x', '9': 'é' } };

const optional = { account_name: 'default' };

check(
  'WAL-66',
  { requirement: 'R-WAL-36 R-WAL-39', effect: 'E4', assumes: 'A-707' },
  'an adjustment and a charge with parts, repeated with keys in other orders, in its metadata too, with numbers and instants in other notations, escapes, spaces, defaults given or left out, no metadata and an empty one → the first response, one movement; with values of metadata exchanged → rejected',
  async () => {
    const parts = { amount: 625.5, unit_price: 0.5, input_volume: 250, volume_rate: 2.5 };
    const times = { effective_at: now(-HOUR_MS), expires_at: now(DAY_MS) };
    const cases = [
      ['adjustWallet', adjustment({ amount: 2.5, ...times, ...TEXTS }), optional, '2.5'],
      // 0.5 + 250 × 2.5.
      [
        'chargeWallet',
        charge({ ...parts, subject: 'é', ...TEXTS }),
        { ...optional, input_units: 1, package_size: 1 },
        '-625.5',
      ],
    ] as const;
    for (const [operation, body, defaults, moved] of cases) {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const first = (await call(operation, { path, body }, [201])).body;
      const of = { path: { ...path, transactionId: body.transaction_id } };
      const transaction = await api('getWalletTransaction', of, 200);
      const nulls = Object.fromEntries(Object.keys(defaults).map((name) => [name, null]));
      const explicit = [
        { ...body, ...defaults },
        { ...nulls, ...body },
      ];
      for (const raw of [...inOtherWords(body), ...explicit.map((same) => JSON.stringify(same))])
        expect((await call(operation, { path, raw }, [201])).body, raw).toEqual(first);
      for (const metadata of [
        { ...TEXTS.metadata, a: '1', b: '2' },
        { ...TEXTS.metadata, '9': 'x', '10': 'é' },
      ])
        await refusedAsOther(operation, customer, { ...body, metadata });

      expect(await api('getWalletTransaction', of, 200)).toEqual(transaction);
      expect(String(await balance(customer))).toBe(moved);
    }
    const path = { customerId: (await aFreshCustomer()).id };
    const plain = adjustment({ metadata: null });
    const first = (await call('adjustWallet', { path, body: plain }, [201])).body;
    const again = { ...plain, metadata: {} };
    expect((await call('adjustWallet', { path, body: again }, [201])).body).toEqual(first);
  },
);

const aUnit = () => aPayerOf('unit', [{ unit_price: 1 }]);

check(
  'EVT-52',
  { requirement: 'R-EVT-07 R-EVT-47 R-EVT-48 R-ERR-16', effect: 'E3', assumes: 'A-204' },
  'an event id in batches that are rejected for a malformed id and by a rule, then first and last in the next batch, and again beside a new event → one event, one fee, one cost, and the new event is billed; before an event with mistakes → rejected by the places in the batch',
  async () => {
    // What is counted twice, or by a batch that is rejected, makes the third event cost 5.
    const rows = [{ up_to: 3, unit_price: 1 }, { unit_price: 5 }];
    const { customer, eventType } = await aPayer(priced('tiered', { basis: 'unit' }, rows, 'unit'));
    const vendor_id = await aNewVendor();
    const costs = [{ id: uuid(), vendor_id, amount: 0.25 }];
    const twice = usageEvent(eventType, { costs });
    const [between, next] = [usageEvent(eventType), usageEvent(eventType)];
    for (const bad of [{ id: 'not-a-uuid' }, { occurred_at: now(-9600 * HOUR_MS) }]) {
      const events = [twice, usageEvent(eventType, bad)];
      await refused('submitEvents', { body: { customer_id: customer.id, events } });
    }
    expect(await listed({ event_id: twice.id }), 'after the rejected batches').toEqual([]);
    await submit(customer, twice, between, twice);
    const first = await stored(twice.id);
    await submit(customer, twice, next);
    const bad = usageEvent(eventType, {
      occurred_at: now(-9600 * HOUR_MS),
      costs: [costs[0], { id: uuid(), vendor_id: unknownId('vnd'), amount: 1 }],
    });
    const mixed = { customer_id: customer.id, events: [twice, next, next, bad] };
    const { errors } = (await refused('submitEvents', { body: mixed }, [422])).body;
    expect(Object.keys(errors).sort(), 'errors after events that are repeated').toEqual(
      ['costs[0].id', 'costs[1].vendor_id', 'occurred_at'].map((field) => `events[3].${field}`),
    );
    const stats = await statsOf(customer);
    const ids = (await listed({ customer_id: customer.id })).map(({ id }) => id);

    expect(await stored(twice.id)).toEqual(first);
    expect(first.fees).toHaveLength(1);
    expect([...ids].sort()).toEqual([twice.id, between.id, next.id].sort());
    expect(String(await balance(customer))).toBe('-3');
    expect(stats.total_costs).toBe(0.25);
    expect((await vendorStats(vendor_id)).total_costs, 'costs of the vendor').toBe(0.25);
    expect(stats.gross_revenue).toBe(3);
  },
);

check(
  'EVT-53',
  { requirement: 'R-EVT-07 R-EVT-49', effect: 'E3', assumes: 'A-802' },
  'an event repeated with each field changed, and an event without a fee repeated once there is a price → fees, subject, data, costs, time and the list unchanged, and no task for the other subject',
  async () => {
    const { customer, eventType, product } = await aUnit();
    const { id: vendor_id } = await aVendor();
    const event = usageEvent(eventType);
    await submit(customer, event);
    const [before, [item]] = [await stored(event.id), await listed({ event_id: event.id })];
    const subject = uniqueSubject();
    const other = {
      event_type: 'contract.other',
      occurred_at: now(-60_000),
      subject,
      data: { tokens: 9 },
      costs: [{ id: uuid(), vendor_id, amount: 1 }],
    };
    for (const [name, value] of Object.entries(other))
      await submit(customer, { ...event, [name]: value });

    expect(await stored(event.id)).toEqual(before);
    expect(await listed({ event_id: event.id })).toEqual([item]);
    expect(await listed({ subject })).toEqual([]);
    expect(String(await balance(customer))).toBe('-1');

    const newcomer = await aFreshCustomer();
    const free = usageEvent(eventType);
    await submit(newcomer, free);
    await subscribe(newcomer, to(product));
    await submit(newcomer, free);
    expect((await stored(free.id)).fees, 'fees, repeated once there is a price').toEqual([]);
  },
);

check(
  'X-47',
  { requirement: 'R-CONV-26 R-WAL-35', effect: 'E4', assumes: 'A-310 A-707' },
  'ids of events, adjustments and charges sent, repeated and requested in lower, upper and mixed case → taken once, found, and shown as first sent; with another amount, or as the other kind of movement → rejected',
  async () => {
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id };
    const others = (id: string) => caseSpellings(id.toLowerCase()).filter((each) => each !== id);
    for (const spell of [0, 1] as const) {
      const event = usageEvent('contract.case', { id: caseSpellings(uuid())[spell] });
      const batch = (id: string) => ({
        body: { customer_id: customer.id, events: [{ ...event, id }] as never },
      });
      await api('submitEvents', batch(event.id), 204);
      for (const id of others(event.id)) {
        await api('submitEvents', batch(id), 204);
        expect((await stored(id)).id, 'id of the event').toBe(event.id);
        const ids = (await listed({ event_id: id })).map((item) => item.id);
        expect(ids, 'ids in the list').toEqual([event.id]);
      }
      for (const [operation, make, other] of [
        ['adjustWallet', adjustment, 'chargeWallet'],
        ['chargeWallet', charge, 'adjustWallet'],
      ] as const) {
        const body = make({
          transaction_id: caseSpellings(uuid())[spell] as string,
          amount: 1.25,
        });
        await call(operation, { path, body }, [201]);
        for (const transaction_id of others(body.transaction_id)) {
          await call(operation, { path, body: { ...body, transaction_id } }, [200, 201]);
          const of = { path: { ...path, transactionId: transaction_id } };
          const { id } = await api('getWalletTransaction', of, 200);
          expect(id, `transaction of ${operation}`).toBe(body.transaction_id);
        }
        const transaction_id = body.transaction_id.toUpperCase();
        await refused(operation, { path, body: { ...body, transaction_id, amount: 2 } });
        const crossed = other === 'chargeWallet' ? charge : adjustment;
        await refused(other, { path, body: crossed({ transaction_id, amount: 1.25 }) });
      }
    }
    expect(String(await balance(customer)), 'balance').toBe('0');
    expect(await listed({ customer_id: customer.id }), 'events').toHaveLength(2);
  },
);

table(
  'WAL-41',
  { requirement: 'R-WAL-34 R-WAL-39', effect: 'E4', assumes: 'A-707' },
  'transaction_id repeated with each other field changed → rejected, naming transaction_id; one movement, as first sent',
  {
    'an adjustment': {
      operation: 'adjustWallet',
      body: () => adjustment({ amount: 2.5, description: 'First' }),
      changes: () => ({ reason: 'gift', expires_at: now(HOUR_MS) }),
      moved: '2.5',
    },
    'a charge': {
      operation: 'chargeWallet',
      body: () => charge({ amount: 2.5, description: 'First' }),
      changes: () => ({ subject: 'other', unit_price: 2.5 }),
      moved: '-2.5',
    },
  } as const,
  async ({ operation, body: make, changes, moved }) => {
    const [customer, body] = [await aFreshCustomer(), make()];
    const path = { customerId: customer.id };
    const of = { path: { ...path, transactionId: body.transaction_id } };
    await call(operation, { path, body }, [201]);
    const first = await api('getWalletTransaction', of, 200);
    const others = {
      amount: 3,
      asset: (await anAsset()).code,
      account_name: 'contract',
      description: 'Second',
      metadata: { other: 'one' },
      ...changes(),
    };
    for (const [name, value] of Object.entries(others))
      await refusedAsOther(operation, customer, { ...body, [name]: value });

    expect(await api('getWalletTransaction', of, 200)).toEqual(first);
    const { accounts } = await api('getWallet', { path }, 200);
    expect(
      accounts.map(({ id }) => id),
      'accounts',
    ).toEqual(['default:USD']);
    expect(String(await balance(customer)), 'balance').toBe(moved);
  },
);
