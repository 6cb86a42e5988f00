import {
  adjustment,
  aFreshAsset,
  aFreshCustomer,
  api,
  aUsageEvent,
  aVendor,
  call,
  check,
  describe,
  expect,
  type LooseParts,
  lexeme,
  type OperationId,
  refused,
  uniqueAssetCode,
  usageEvent,
  useUp,
  uuid,
} from '../kit/index.ts';
import { assetOf } from './shared/assets.ts';
import { stored } from './shared/events.ts';
import { DECIMALS, NO_DECIMALS } from './shared/limits.ts';
import { request } from './shared/top-ups.ts';
import { charge } from './shared/wallets.ts';

/** A numeric field of a request, and the number that the service shows for it. */
interface Field {
  readonly operation: OperationId;
  parts(value: number): LooseParts;
  /** The digits that the service shows after a request with these parts and this response. */
  shown?(sent: LooseParts, body: never): Promise<string>;
  readonly accepted?: readonly string[];
  readonly rejected?: readonly number[];
}

async function expectLimits(name: string, field: Field): Promise<void> {
  const { operation, parts, shown, accepted = DECIMALS, rejected = NO_DECIMALS } = field;
  for (const digits of accepted) {
    const sent = parts(Number(digits));
    const { body } = await useUp('limit', () => call(operation, sent, [200, 201, 204]));
    if (shown) expect(await shown(sent, body as never), name).toBe(digits);
  }
  for (const value of rejected) await refused(operation, parts(value));
}

const PARTS = { unit_price: 1, input_volume: 0, volume_rate: 0 };
const VOLUME = { input_volume: 1, volume_rate: 1 };

/** Fields of movements of a customer's wallet, with the amount that the transaction shows. */
function movements(customerId: string): Readonly<Record<string, Field>> {
  const path = { customerId };
  const shown = async ({ body }: LooseParts) => {
    const { transaction_id: transactionId } = body as { transaction_id: string };
    const of = { path: { ...path, transactionId } };
    return lexeme(await api('getWalletTransaction', of, 200), 'amount').replace('-', '');
  };
  const field = (operation: OperationId, make: (value: number) => object): Field => {
    return { operation, parts: (value) => ({ path, body: make(value) }), shown };
  };
  const charged = (make: (value: number) => object) =>
    field('chargeWallet', (value) => charge(make(value)));
  return {
    credit: field('adjustWallet', (amount) => adjustment({ amount })),
    debit: field('adjustWallet', (sum) => adjustment({ amount: 0 - sum })),
    charge: charged((amount) => ({ amount })),
    unit_price: charged((unit_price) => ({ ...PARTS, amount: unit_price, unit_price })),
    input_units: charged((input_units) => ({ ...PARTS, amount: input_units, input_units })),
    input_volume: charged((input_volume) => ({ ...VOLUME, amount: input_volume, input_volume })),
    volume_rate: charged((volume_rate) => ({ ...VOLUME, amount: volume_rate, volume_rate })),
    package_size: {
      operation: 'chargeWallet',
      parts: (package_size) => ({
        path,
        body: charge({ amount: 0, input_volume: 0, volume_rate: 1, package_size }),
      }),
      rejected: [...NO_DECIMALS, 0],
    },
  };
}

/** Fields of top-ups of a customer, with what their response by id shows. */
function topUps(customer: never, asset: string): Readonly<Record<string, Field>> {
  const of = (make: (value: number) => object) => (value: number) => ({
    body: request(customer, make(value)),
  });
  const get = ({ id: topUpId }: { id: string }) => api('getTopUp', { path: { topUpId } }, 200);
  const shown = async (_: LooseParts, made: never) => lexeme(await get(made), 'amount');
  return {
    'amount in USD': {
      ...{ operation: 'createTopUp', parts: of((amount) => ({ amount })), shown },
      ...{ accepted: ['999999999999999', '9999999999999.99', '0.01'] },
      ...{ rejected: [1e15, 99999999999999.98, 999999999999999.5, 0.001, 0] },
    },
    'amount in JPY': {
      ...{ operation: 'createTopUp', parts: of((amount) => ({ amount, currency: 'JPY' })), shown },
      ...{ accepted: ['999999999999999', '1'], rejected: [1e15, 0.5, 0] },
    },
    exchange_rate: {
      operation: 'createTopUp',
      // At the largest rate, a smaller amount would buy nothing.
      parts: of((exchange_rate) => ({
        amount: exchange_rate < 1 ? 12.5 : 999999999999999,
        destination: { asset, exchange_rate },
      })),
      shown: async (_, made) =>
        lexeme((await get(made)).destination as never, 'exchange_rate' as never),
      rejected: [...NO_DECIMALS, 0],
    },
  };
}

/** Fields of rates and quotes, with the digits that the asset or the quote shows. */
function rates(assetCode: string): Readonly<Record<string, Field>> {
  const path = { assetCode };
  const rejected = [...NO_DECIMALS, 0];
  const shownAs = (name: 'rate' | 'inverse_rate') => async (sent: LooseParts) => {
    const { code = assetCode } = sent.body as { code?: string };
    const {
      rates: [rate],
    } = await assetOf(code);
    return lexeme(rate?.schedule[0] as object, name as never);
  };
  const starting = (name: 'rate' | 'inverse_rate') => ({
    operation: 'createAsset' as const,
    parts: (value: number) => {
      const code = uniqueAssetCode();
      return { body: { code, name: 'Contract units', rates: [{ source: 'USD', [name]: value }] } };
    },
    ...{ shown: shownAs(name), rejected },
  });
  return {
    amount: {
      ...{
        operation: 'quoteAsset',
        parts: (amount) => ({ path, body: { source: 'USD', amount } }),
      },
      ...{ shown: async (_, quote) => lexeme(quote, 'source_amount' as never), rejected },
    },
    rate: {
      ...{ operation: 'setAssetRate', parts: (rate) => ({ path, body: { source: 'USD', rate } }) },
      ...{ shown: shownAs('rate'), rejected },
    },
    'starting rate': starting('rate'),
    'starting inverse_rate': {
      ...starting('inverse_rate'),
      ...{ accepted: ['999999999999999', '99999.9999999999', '0.0000000001', '0.00000000000001'] },
      ...{ rejected: [1e15, 999999999999999.5, 100000.0000000001, 0] },
    },
  };
}

describe('limits of amounts and rates', () => {
  check(
    'X-71',
    { requirement: ['R-CONV-22', 'R-CONV-27'], level: 'ASSUMED', effect: 'E4', assumes: 'A-303' },
    'amounts of credit, charges, top-ups and quotes, parts of charges, rates and exchange rates with fifteen digits, with ten decimals and the smallest → accepted, shown to the last digit; one beyond in magnitude, digits or decimals → rejected',
    async () => {
      const customer = await aFreshCustomer();
      const { code } = await aFreshAsset({ precision: 10, rates: [{ source: 'USD', rate: 1 }] });
      const fields = {
        ...movements(customer.id),
        ...topUps(customer as never, code),
        ...rates(code),
      };
      for (const [name, field] of Object.entries(fields)) await expectLimits(name, field);
    },
  );
});

const COST_FIELDS = [
  ...['amount', 'units', 'unit_price', 'input_volume', 'volume_rate', 'package_size'],
] as const;

describe('limits of usage', () => {
  check(
    'EVT-90',
    { requirement: ['R-CONV-22', 'R-CONV-27'], level: 'ASSUMED', effect: 'E3', assumes: 'A-303' },
    'amounts and parts of costs with fifteen digits, with ten decimals and the smallest, numbers in data of any digits below 10^15 and above -10^15 → shown to the last digit; one beyond → rejected',
    async () => {
      const [customer, { id: vendor_id }] = [await aFreshCustomer(), await aVendor()];
      const cases = COST_FIELDS.flatMap((field) =>
        DECIMALS.map((digits) => [field, digits] as const),
      );
      const cost = (field: string, value: number) => {
        return { id: uuid(), vendor_id, amount: 0, [field]: value };
      };
      const costs = cases.map(([field, digits]) => cost(field, Number(digits)));
      const data = {
        ...{
          most: 999999999999999.9,
          least: -999999999999999.9,
          small: 1e-20,
          whole: 999999999999999,
        },
        ...{ long: 0.12345678901234568, negative: -1.5e-11 },
      };
      const event = await stored(
        (await aUsageEvent(customer, 'contract.limits', { costs, data })).id,
      );
      expect(
        cases.map(([field], index) => lexeme(event.costs[index] as object, field as never)),
      ).toEqual(cases.map(([, digits]) => digits));
      expect(Object.keys(data).map((name) => lexeme(event.data as object, name as never))).toEqual([
        ...['999999999999999.9', '-999999999999999.9', '0.00000000000000000001', '999999999999999'],
        ...['0.12345678901234568', '-0.000000000015'],
      ]);
      const refuse = (changes: object) => {
        const events = [usageEvent('contract.limits', changes)];
        return refused('submitEvents', { body: { customer_id: customer.id, events } });
      };
      for (const field of COST_FIELDS)
        for (const value of NO_DECIMALS) await refuse({ costs: [cost(field, value)] });
      for (const value of [1e15, -1e15, 1e300, -1e300]) await refuse({ data: { value } });
    },
  );
});
