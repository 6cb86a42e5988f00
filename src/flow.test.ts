import { describe, expect, it } from 'vitest';
import { Rational } from '../contract-tests/kit/rational.ts';
import { type AnyBody, createTestClient } from './testing/client.ts';

/**
 * Runs the whole flow with random catalogues. Compares every number with a calculation in fractions that shares
 * no code with the emulator.
 */
const CATALOGUES = 200;
const { api, http } = createTestClient({ sandbox_fixture: '' });

/** A small seeded generator, so that a failing catalogue can be run again. */
function generator(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const amount = (digits: number, places: number) =>
    Number(`${whole(0, 10 ** digits - 1)}e-${whole(0, places)}`);
  const pick = <T>(...choices: readonly T[]): T => choices[whole(0, choices.length - 1)] as T;
  return { whole, amount, pick };
}

interface Value {
  readonly dimensions?: Record<string, string>;
  readonly unit_price?: number;
  readonly volume_rate?: number;
  readonly package_size?: number;
}

interface Price {
  readonly usage: 'unit' | 'volume' | 'unit_and_volume';
  readonly asset: string;
  readonly values: readonly Value[];
}

type Random = ReturnType<typeof generator>;

function randomPrice({ whole, amount, pick }: Random): Price {
  const usage = pick('unit', 'volume', 'unit_and_volume');
  const value = (dimensions?: Record<string, string>): Value => ({
    ...(dimensions && { dimensions }),
    ...(usage !== 'volume' && { unit_price: amount(4, 6) }),
    ...(usage !== 'unit' && {
      volume_rate: amount(5, 6),
      package_size: pick(1, 3, 7, 1000, 1_000_000),
    }),
  });
  const models = ['a', 'b', '*'].slice(whole(0, 2));
  return {
    usage,
    asset: pick('USD', 'CR'),
    values: whole(0, 1) === 0 ? [value()] : models.map((model) => value({ model })),
  };
}

function priceBody({ usage, asset, values }: Price, index: number) {
  return {
    name: `Price ${index}`,
    type: 'usage_based',
    billing_model: { type: 'real_time' },
    usage_calculation: {
      event_type: 'work',
      usage_type: usage,
      billable_dimensions: ['model'],
      ...(usage !== 'unit' && { volume_field: 'n' }),
    },
    pricing: [{ asset, values }],
  };
}

/** Calculates the fee of one event under one price. Returns undefined if no value of the price matches. */
function reckonFee(
  price: Price,
  data: { model: string; n: number },
  places: number,
): Rational | undefined {
  const exact = price.values.find(({ dimensions }) => dimensions?.['model'] === data.model);
  const star = price.values.find(({ dimensions }) => dimensions?.['model'] === '*');
  const value = exact ?? star ?? price.values.find(({ dimensions }) => !dimensions);
  if (!value) return undefined;
  const volume = Rational.of(data.n)
    .times(value.volume_rate ?? 0)
    .over(value.package_size ?? 1);
  return volume.plus(value.unit_price ?? 0).rounded(places);
}

/** Parses a response with its numbers as text. A double would lose the digits that are compared. */
function parseExactly(text: string): AnyBody {
  return JSON.parse(text.replaceAll(/"(\w+)":(-?[0-9.]+)(?=[,}])/g, '"$1":"$2"'));
}

/** Returns the exact value of a number in a response. */
function numberIn(text: string, name: string): Rational {
  const [, digits = ''] = new RegExp(`"${name}":(-?[0-9.]+)`).exec(text) ?? [];
  return Rational.of(digits);
}

async function walk(seed: number): Promise<void> {
  const random = generator(seed);
  const key = `key_test_flow-${seed}`;
  const read = async (path: string) =>
    (await http.get(path).set('Authorization', `Bearer ${key}`)).text;
  const precision = random.whole(0, 4);
  const rate = Number(`${random.whole(1, 999)}e-${random.whole(0, 4)}`);
  await api(
    'createAsset',
    {
      key,
      body: { code: 'CR', name: 'Credits', precision, rates: [{ source: 'USD', rate }] },
    },
    201,
  );

  const sourceAmount = Number(`${random.whole(1, 99_999)}e-2`);
  const quote = await http
    .post('/assets/CR/quote')
    .set('Authorization', `Bearer ${key}`)
    .send({ source: 'USD', amount: sourceAmount });
  const quoted = Rational.of(sourceAmount).over(rate).rounded(precision);
  expect(numberIn(quote.text, 'destination_amount').equals(quoted), `quote of ${seed}`).toBe(true);

  const prices = Array.from({ length: random.whole(1, 4) }, () => randomPrice(random));
  const product = { name: 'P', code: 'p', publish: true, prices: prices.map(priceBody) };
  const { id: productId } = await api('createProduct', { key, body: product }, 201);
  await api('createVendor', { key, body: { name: 'V', external_id: 'v' } }, 201);
  const customer = { name: 'C', external_id: 'c', subscriptions: [{ products: [{ code: 'p' }] }] };
  const { id } = await api('createCustomer', { key, body: customer }, 201);
  const fund = { USD: random.amount(6, 2), CR: random.whole(1, 100_000) };
  for (const [index, [asset, amount]] of Object.entries(fund).entries()) {
    const transaction_id = `00000000-0000-4000-8000-00000000000${index}`;
    if (amount !== 0)
      await api(
        'adjustWallet',
        {
          key,
          path: { customerId: id },
          body: { transaction_id, asset, amount, reason: 'external_topup' },
        },
        201,
      );
  }

  const events = Array.from({ length: random.whole(1, 6) }, (_, index) => ({
    id: `00000000-0000-4000-8000-0000000001${index}0`,
    event_type: 'work',
    occurred_at: '2026-01-15T12:00:00Z',
    subject: 'job',
    data: { model: random.pick('a', 'b', 'c'), n: random.amount(7, 3) },
    costs: [
      {
        id: `00000000-0000-4000-8000-0000000002${index}0`,
        vendor_external_id: 'v',
        amount: random.amount(4, 4),
      },
    ],
  }));
  const places = { USD: 10, CR: precision } as Record<string, number>;
  const fees = events.map(({ data }) =>
    prices.flatMap((price) => {
      const fee = reckonFee(price, data, places[price.asset] as number);
      return fee ? [{ asset: price.asset, fee }] : [];
    }),
  );

  const simulation = await http
    .post(`/products/${productId}/default/simulate-usage`)
    .set('Authorization', `Bearer ${key}`)
    .send({ events });
  const simulated = parseExactly(simulation.text);
  await api('submitEvents', { key, body: { customer_id: id, events } }, 204);

  const spent: Record<string, Rational> = { USD: Rational.ZERO, CR: Rational.ZERO };
  let revenue = Rational.ZERO;
  for (const [index, event] of events.entries()) {
    const text = await read(`/events/${event.id}`);
    const stored = parseExactly(text).fees.map((fee: AnyBody) => [fee.currency, fee.amount]);
    const wanted = fees[index] as { asset: string; fee: Rational }[];
    expect(stored).toHaveLength(wanted.length);
    const simulatedFees = simulated.fees.filter((fee: AnyBody) => fee.usage_id === event.id);
    expect(simulatedFees).toHaveLength(wanted.length);
    for (const [place, { asset, fee }] of wanted.entries()) {
      expect(stored[place][0]).toBe(asset);
      expect(fee.equals(stored[place][1]), `fee ${place} of event ${index} of ${seed}`).toBe(true);
      expect(simulatedFees[place].amount).toBe(stored[place][1]);
      spent[asset] = fee.plus(spent[asset] as Rational);
      revenue = revenue.plus(asset === 'USD' ? fee : fee.times(rate).rounded(10));
    }
  }

  const wallet = await read(`/customers/${id}/wallet`);
  for (const asset of ['USD', 'CR'] as const) {
    const balance = Rational.of(fund[asset]).minus(spent[asset] as Rational);
    const shown = new RegExp(`"asset":"${asset}","available":(-?[0-9.]+)`).exec(wallet)?.[1];
    if (shown !== undefined)
      expect(balance.equals(shown), `${asset} balance of ${seed}`).toBe(true);
    else expect(balance.equals(0)).toBe(true);
  }

  const costs = Rational.sum(events.map(({ costs: [cost] }) => Rational.of(cost?.amount ?? 0)));
  const net = revenue.minus(costs);
  const margin = revenue.sign === 0 ? revenue : net.over(revenue).significant(12);
  for (const text of [await read(`/customers/${id}/stats`), await read(`/tasks/${id}%3Ajob`)]) {
    const stats = text.slice(text.indexOf('"gross_revenue"'));
    expect(numberIn(stats, 'gross_revenue').equals(revenue), `revenue of ${seed}`).toBe(true);
    expect(numberIn(stats, 'total_costs').equals(costs), `costs of ${seed}`).toBe(true);
    expect(numberIn(stats, 'net_revenue').equals(net), `net of ${seed}`).toBe(true);
    expect(numberIn(stats, 'margin').equals(margin), `margin of ${seed}`).toBe(true);
  }
}

describe('quote, fees, wallet and statistics of random catalogues', () => {
  it.each(Array.from({ length: CATALOGUES / 20 }, (_, group) => group * 20))(
    'agree with a calculation in fractions, for 20 catalogues from number %i',
    async (first) => {
      for (let seed = first; seed < first + 20; seed += 1) await walk(seed);
    },
    60_000,
  );
});
