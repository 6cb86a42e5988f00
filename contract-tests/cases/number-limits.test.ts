import {
  aFreshAsset,
  aFreshCustomer,
  aUsageEvent,
  aVendor,
  check,
  describe,
  expect,
  lexeme,
  refused,
  usageEvent,
} from '../kit/index.ts';
import { stored } from './shared/events.ts';
import { expectLimits } from './shared/fields.ts';
import {
  ASSET,
  adjustmentOf,
  assetRate,
  chargeOf,
  costBy,
  eventOf,
  quote,
  topUpBy,
} from './shared/kinds.ts';
import {
  DECIMALS,
  keys,
  long,
  MOVEMENT_TEXTS,
  NO_DECIMALS,
  NO_METADATA,
  TINY,
} from './shared/limits.ts';

const decimals = DECIMALS.map(Number);

describe('limits of numbers', () => {
  check(
    'X-95',
    {
      requirement: ['R-AST-05', 'R-CONV-22', 'R-CONV-23', 'R-CONV-27'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-303', 'A-306'],
    },
    'names, precisions and rates of assets and amounts of quotes at each limit of size, digits and decimals → accepted and shown to the last digit; one beyond → rejected',
    async () => {
      const none = [...NO_DECIMALS, 0];
      const noInverse = [1e15, 999999999999999.5, 100000.0000000001, 0];
      // An inverse rate can be smaller than a rate.
      const inverse = [999999999999999, 99999.9999999999, TINY, 1e-14];
      await expectLimits(ASSET, {
        within: [
          { name: 'x', precision: 0 },
          { name: long(256), precision: 10 },
          ...decimals.map((rate, index) => ({
            rates: [
              { source: 'USD', rate },
              { source: 'EUR', inverse_rate: inverse[index] },
            ],
          })),
        ],
        beyond: {
          ...{ name: ['', long(257)], precision: [-1, 11] },
          rates: [
            ...none.map((rate) => [{ source: 'USD', rate }]),
            ...noInverse.map((inverse_rate) => [{ source: 'USD', inverse_rate }]),
          ],
        },
      });
      const { code } = await aFreshAsset({ precision: 10, rates: [{ source: 'USD', rate: 1 }] });
      const within = (name: string) => decimals.map((value) => ({ [name]: value }));
      await expectLimits(quote(code), { within: within('amount'), beyond: { amount: none } });
      await expectLimits(assetRate(code), { within: within('rate'), beyond: { rate: none } });
    },
  );

  check(
    'X-71',
    {
      requirement: ['R-CONV-19', 'R-CONV-22', 'R-CONV-23', 'R-CONV-27'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-303', 'A-306'],
    },
    'amounts, descriptions and metadata of credit and debits at each limit → accepted and shown to the last digit; one beyond in magnitude, digits, decimals or length → rejected',
    async () => {
      const { within, beyond } = MOVEMENT_TEXTS;
      await expectLimits(adjustmentOf(await aFreshCustomer()), {
        within: [
          ...within,
          ...decimals.map((amount) => ({ amount })),
          ...decimals.map((amount) => ({ amount: -amount })),
        ],
        beyond: { ...beyond, amount: [...NO_DECIMALS, ...NO_DECIMALS.map((each) => -each)] },
      });
    },
  );

  check(
    'X-30',
    {
      requirement: ['R-CONV-19', 'R-CONV-22', 'R-CONV-23', 'R-CONV-27'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-303', 'A-306'],
    },
    'amounts, descriptions and metadata of charges at each limit → accepted and shown to the last digit; one beyond in magnitude, digits, decimals or length → rejected',
    async () => {
      const { within, beyond } = MOVEMENT_TEXTS;
      await expectLimits(chargeOf(await aFreshCustomer()), {
        within: [
          ...within,
          { subject: long(256), amount: 0 },
          ...decimals.map((amount) => ({ amount })),
        ],
        beyond: { ...beyond, subject: [long(257)], amount: [...NO_DECIMALS, -0.01] },
      });
    },
  );

  check(
    'X-96',
    {
      requirement: ['R-CONV-22', 'R-CONV-27'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-303',
    },
    'parts of charges at each limit → accepted, and the amount shown to the last digit; one beyond in magnitude, digits or decimals, and below 0 → rejected',
    async () => {
      const charges = chargeOf(await aFreshCustomer());
      const zero = { amount: 0, unit_price: 0, input_volume: 0, volume_rate: 0 };
      await expectLimits(charges, {
        within: [
          ...decimals.flatMap((amount) => [
            { ...zero, amount, unit_price: amount, input_units: 1, package_size: amount },
            { ...zero, amount, unit_price: 1, input_units: amount },
            { amount, input_volume: amount, volume_rate: 1 },
            { amount, input_volume: 1, volume_rate: amount },
          ]),
        ],
        beyond: {},
      });
      // Parts that make 0, so that only the value itself can be wrong.
      for (const [name, others] of Object.entries({
        ...{ input_units: zero, input_volume: zero, volume_rate: zero, package_size: zero },
        unit_price: { ...zero, input_units: 0 },
      }))
        for (const value of [1e15, 999999999999999.5, 100000.0000000001, TINY / 10, -1])
          await refused('chargeWallet', await charges.request({ ...others, [name]: value }));
      await refused('chargeWallet', await charges.request({ ...zero, package_size: 0 }));
    },
  );

  check(
    'TOP-43',
    {
      requirement: ['R-CONV-19', 'R-CONV-22', 'R-CONV-23', 'R-CONV-27'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-303', 'A-306'],
    },
    'amounts, exchange rates, descriptions and metadata of top-ups at each limit → accepted and shown to the last digit; one beyond in magnitude, digits, decimals of the currency or length → rejected',
    async () => {
      const topUps = topUpBy(await aFreshCustomer());
      const { code: asset } = await aFreshAsset({ precision: 10 });
      const { within, beyond } = MOVEMENT_TEXTS;
      await expectLimits(topUps, {
        within: [
          ...within,
          ...[999999999999999, 9999999999999.99, 0.01].map((amount) => ({ amount })),
          ...[999999999999999, 1].map((amount) => ({ amount, currency: 'JPY' })),
          // At the largest rate, a smaller amount would buy nothing.
          ...decimals.map((exchange_rate) => ({
            amount: exchange_rate < 1 ? 12.5 : 999999999999999,
            destination: { asset, exchange_rate },
          })),
        ],
        beyond: {
          ...beyond,
          amount: [1e15, 99999999999999.98, 999999999999999.5, 0.001, 0, -1],
          destination: [...NO_DECIMALS, 0].map((exchange_rate) => ({ asset, exchange_rate })),
        },
      });
      for (const amount of [1e15, 0.5, 0])
        await refused('createTopUp', await topUps.request({ amount, currency: 'JPY' }));
    },
  );
});

const COST_NUMBERS = [
  ...['amount', 'units', 'unit_price', 'input_volume', 'volume_rate', 'package_size'],
] as const;

describe('limits of usage', () => {
  check(
    'EVT-90',
    {
      requirement: ['R-CONV-19', 'R-CONV-22', 'R-CONV-23', 'R-CONV-27'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-303', 'A-306'],
    },
    'amounts, parts, descriptions and metadata of costs at each limit → accepted and shown to the last digit; one beyond → rejected',
    async () => {
      const [customer, { id: vendor }] = [await aFreshCustomer(), await aVendor()];
      await expectLimits(costBy(customer, vendor), {
        within: [
          ...decimals.map((value) => Object.fromEntries(COST_NUMBERS.map((name) => [name, value]))),
          { amount: 0, description: long(1024), metadata: keys(50) },
        ],
        beyond: {
          ...Object.fromEntries(COST_NUMBERS.map((name) => [name, NO_DECIMALS])),
          description: [long(1025)],
          metadata: NO_METADATA.slice(4, 11),
        },
      });
    },
  );

  check(
    'EVT-105',
    {
      requirement: ['R-CONV-22', 'R-CONV-23', 'R-CONV-27'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-303', 'A-306'],
    },
    'descriptions, subjects and types of events at each limit, numbers in data of any digits below 10^15 and above -10^15 → shown to the last digit; beyond → rejected',
    async () => {
      const customer = await aFreshCustomer();
      const digits = {
        ...{ most: '999999999999999.9', least: '-999999999999999.9', whole: '999999999999999' },
        ...{ small: '0.00000000000000000001', long: '0.12345678901234568' },
        negative: '-0.000000000015',
      };
      const data = Object.fromEntries(
        Object.entries(digits).map(([name, text]) => [name, Number(text)]),
      );
      const { id } = await aUsageEvent(customer, 'contract.limits', { data });
      const shown = (await stored(id)).data as object;
      for (const [name, text] of Object.entries(digits))
        expect(lexeme(shown, name as never), name).toBe(text);
      for (const value of [1e15, -1e15, 1e300, -1e300]) {
        const events = [usageEvent('contract.limits', { data: { value } })];
        await refused('submitEvents', { body: { customer_id: customer.id, events } });
      }
      await expectLimits(eventOf(customer), {
        within: [
          { description: long(1024), subject: long(256) },
          { subject: 'x', event_type: 'x' },
        ],
        beyond: { description: [long(1025)], subject: [long(257), ''], event_type: [''] },
      });
    },
  );
});
