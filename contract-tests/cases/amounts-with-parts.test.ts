import {
  aFreshAsset,
  aFreshCustomer,
  amount,
  api,
  call,
  check,
  describe,
  expect,
  pseudoRandom,
  Rational,
} from '../kit/index.ts';
import { balance, charge } from './shared/wallets.ts';

type Parts = Readonly<Record<string, number>>;

const of = (parts: Parts, name: string, fallback: number) => Rational.of(parts[name] ?? fallback);

/** What the parts of a charge make, before rounding. */
function sumOf(parts: Parts): Rational {
  const units = of(parts, 'unit_price', 0).times(of(parts, 'input_units', 1));
  const volume = of(parts, 'input_volume', 0).times(of(parts, 'volume_rate', 0));
  return units.plus(volume.over(of(parts, 'package_size', 1)));
}

/** The parts of charges by the smallest amount of an asset, `least`: on, around and between its amounts. */
function charges(least: number): readonly Parts[] {
  const half = { unit_price: least, input_units: 0.5 };
  const drawn = (below: number) => 1 + pseudoRandom(below);
  return [
    { unit_price: 0 },
    { unit_price: least },
    { unit_price: least, input_units: 3 },
    // Halves, to the even neighbour: to 0, 2 and 2.
    half,
    { unit_price: least, input_units: 1.5 },
    { input_volume: 2.5, volume_rate: least },
    // Thirds, to 0 and 1.
    { input_volume: 1, volume_rate: least, package_size: 3 },
    { input_volume: 2, volume_rate: least, package_size: 3 },
    // A millionth above and below a half.
    { ...half, input_volume: 1, volume_rate: least, package_size: 1e6 },
    { input_volume: 499999, volume_rate: least, package_size: 1e6 },
    // Parts between two amounts whose sum is one, and whose sum is a half.
    { ...half, input_volume: 1, volume_rate: least, package_size: 2 },
    { ...half, input_volume: 4, volume_rate: least, package_size: 2 },
    // As large as fifteen digits allow next to the last decimal.
    { unit_price: 9876, input_volume: 1, volume_rate: least },
    { unit_price: 9876, input_volume: 1.5, volume_rate: least },
    ...Array.from({ length: 4 }, () => ({
      ...{ unit_price: drawn(99) * least, input_units: drawn(99) / 10 },
      ...{ input_volume: drawn(9999) / 100, volume_rate: drawn(99) * least },
      package_size: drawn(99),
    })).map((parts) => rounded(parts)),
  ];
}

/** Numbers as they can be sent: a product of floats has more decimals than that. */
const rounded = (parts: Parts): Parts =>
  Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, +value.toFixed(10)]));

/** Charges with each amount next to what the parts make. Only that itself is accepted, and posted. */
async function expectOnlySum(asset: string, places: number): Promise<void> {
  const customer = await aFreshCustomer();
  const path = { customerId: customer.id };
  const least = Rational.of(`1e-${places}`);
  const posted: Rational[] = [];
  for (const parts of charges(least.toNumber())) {
    const exact = sumOf(parts);
    const wanted = exact.rounded(places);
    const name = `${asset} with ${places}: ${JSON.stringify(parts)} makes ${wanted}`;
    const near = [least.negated, least.times(-0.5), least.times(0.5), least];
    const others = near.map((distance) => wanted.plus(distance).rounded(10));
    for (const other of [...others, exact.rounded(10)]) {
      if (other.sign < 0 || other.equals(wanted)) continue;
      const body = charge({ asset, ...parts, amount: other.toNumber() });
      expect(
        [(await call('chargeWallet', { path, body }, [201, 422])).status, `${other}`],
        name,
      ).toEqual([422, `${other}`]);
    }
    const body = charge({ asset, ...parts, amount: wanted.toNumber() });
    const { status } = await call('chargeWallet', { path, body }, [201, 422]);
    expect(status, name).toBe(201);
    const of = { ...path, transactionId: body.transaction_id };
    const shown = amount(await api('getWalletTransaction', { path: of }, 200), 'amount');
    expect(String(shown.negated), name).toBe(String(wanted));
    posted.push(wanted);
  }
  const total = await balance(customer, `default:${asset}`);
  expect(String(total)).toBe(String(Rational.sum(posted).negated));
}

describe('charges with an amount and parts', () => {
  check(
    'WAL-69',
    {
      requirement: ['R-WAL-41', 'R-WAL-59'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-304', 'A-708'],
    },
    'charges by parts that make an amount of the asset, a half, a third or a millionth more than a half, with each amount around the result → accepted and posted with the result alone, to the last of no to ten decimals',
    async () => {
      for (let precision = 0; precision <= 10; precision += 1)
        await expectOnlySum((await aFreshAsset({ precision })).code, precision);
      for (const currency of ['JPY', 'USD', 'KWD']) await expectOnlySum(currency, 10);
    },
  );
});
