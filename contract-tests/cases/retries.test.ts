import {
  adjustment,
  aFreshCustomer,
  api,
  assuming,
  aUnitPrice,
  call,
  check,
  expect,
  now,
  uuid,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { DAY_MS, HOUR_MS } from './shared/times.ts';
import { balance, charge, refusedAsOther } from './shared/wallets.ts';

/** Numbers in other notations. */
const OTHER_DIGITS: Readonly<Record<string, readonly string[]>> = {
  '2.5': ['2.50', '0.25E+1'],
  '0.5': ['0.500', '5e-1'],
  '250': ['250.0', '2.5e2'],
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
    JSON.stringify(body, null, 4),
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
  'an adjustment and a charge with parts, repeated with keys in other orders, in its metadata too, with numbers and instants in other notations, escapes, spaces, defaults given or left out → the first response, one movement; with values of metadata exchanged → rejected',
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
    for (const [operation, body, moved] of [
      ['adjustWallet', adjustment({ amount: 2.5 }), '2.5'],
      ['chargeWallet', charge({ amount: 2.5 }), '-2.5'],
    ] as const) {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const nothing = { description: undefined, metadata: undefined };
      for (const none of [{}, { description: null }, { metadata: null }, { metadata: {} }])
        await call(operation, { path, body: { ...body, ...nothing, ...none } }, [201]);

      expect(String(await balance(customer))).toBe(moved);
    }
  },
);

check(
  'EVT-82',
  { requirement: 'R-EVT-07 R-WAL-34 R-WAL-35 R-WAL-39', effect: 'E4', needs: 'clock.movable' },
  'event, adjustment and charge repeated after a day, after the credit has ended and after two months → the first response, billed once; with another description → rejected',
  async (t) => {
    const { call, path, until, subscribe, use, available } = await aCustomerWorld(t);
    await subscribe([aUnitPrice('call', 4)]);
    const occurred_at = '2026-03-01T12:00:00.000Z';
    const event = { id: uuid(), event_type: 'call', occurred_at, data: {} };
    const credit = {
      ...{ transaction_id: uuid(), asset: 'USD', amount: 19, reason: 'gift' },
      ...{ expires_at: '2026-03-10T00:00:00Z', description: 'Welcome' },
    };
    const debit = { transaction_id: uuid(), asset: 'USD', amount: 2, description: 'Set-up' };
    const send = async () => [
      await call('adjustWallet', { path, body: credit }),
      await call('chargeWallet', { path, body: debit }),
      await call('submitEvents', { body: { customer_id: path.customerId, events: [event] } }),
    ];
    const first = await send();

    // 19 − 4 − 2
    expect(await available()).toBe(13);
    for (const [moment, left] of [
      ['2026-03-02T13:00:00.000Z', 13],
      ['2026-03-10T00:00:00.000Z', 0],
      ['2026-05-02T00:00:00.000Z', 0],
    ] as const) {
      await until(moment);
      expect(await send(), `repeated at ${moment}`).toEqual(first);
      expect(await available(), moment).toBe(left);
      await assuming('A-707', async () => {
        const description = 'Other';
        await call('adjustWallet', { path, body: { ...credit, description } }, [422]);
        await call('chargeWallet', { path, body: { ...debit, description } }, [422]);
      });
    }
    await use();
    expect(await available(), 'after another event').toBe(-4);
  },
);
