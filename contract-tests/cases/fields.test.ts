import { assuming, check } from '../kit/index.ts';
import { expectKept, expectRows, OWN_OBJECTS, type Resource } from './shared/fields.ts';
import * as assets from './shared/rows/assets.ts';
import * as money from './shared/rows/money.ts';
import * as products from './shared/rows/products.ts';
import * as roots from './shared/rows/roots.ts';
import * as usage from './shared/rows/usage.ts';
import { decimals } from './shared/values.ts';

/** A check that each of these kinds of objects keeps its fields. */
const keeps = (
  id: string,
  of: string,
  options: Parameters<typeof check>[1],
  ...resources: readonly Resource[]
): void =>
  check(
    id,
    options,
    `fields of ${of} with unusual and empty values and at each limit, each alone, none, and null → shown as sent, to the last digit, or by default, in each place that shows them`,
    async (t) => {
      for (const resource of resources) await expectKept(await resource(OWN_OBJECTS, t));
    },
  );

keeps(
  'ACC-09',
  'an account',
  {
    requirement:
      'R-ACC-01 R-ACC-03 R-ACC-05 R-ACC-06 R-ACC-07 R-ACC-08 R-ACC-11 R-CONV-12 R-CONV-18',
    effect: 'E3',
    partly: 'A-306',
  },
  roots.accounts,
);

keeps(
  'CUS-26',
  'a customer',
  {
    requirement:
      'R-CONV-05 R-CONV-18 R-CONV-24 R-CUS-04 R-CUS-06 R-CUS-12 R-CUS-13 R-CUS-14 R-CUS-15 R-CUS-16 R-CUS-17 R-CUS-18 R-CUS-19 R-CUS-21 R-CUS-31',
    effect: 'E3',
    partly: 'A-306',
  },
  roots.customers,
);

keeps(
  'X-33',
  'an update of a customer',
  { requirement: 'R-CUS-33', effect: 'E3', assumes: 'A-306' },
  roots.customerUpdates,
);

keeps(
  'X-44',
  'a vendor',
  {
    requirement: 'R-CONV-11 R-VND-01 R-VND-02 R-VND-03 R-VND-04 R-VND-05 R-VND-12',
    effect: 'E3',
    partly: 'A-306',
  },
  roots.vendors,
);

keeps(
  'X-42',
  'an asset',
  {
    requirement:
      'R-AST-03 R-AST-04 R-AST-05 R-AST-06 R-AST-07 R-AST-08 R-AST-09 R-AST-10 R-AST-11 R-AST-12 R-AST-17 R-AST-19 R-AST-35 R-CONV-27 R-LIM-06',
    effect: 'E3',
    partly: 'A-303 A-306',
  },
  assets.assets,
);

keeps(
  'X-95',
  'quotes and rates',
  { requirement: 'R-CONV-27', effect: 'E3', assumes: 'A-303' },
  assets.quotes,
  assets.assetRates,
);

keeps(
  'WHK-45',
  'a destination',
  {
    requirement:
      'R-CONV-13 R-SIG-09 R-SIG-10 R-WHK-01 R-WHK-03 R-WHK-04 R-WHK-12 R-WHK-14 R-WHK-15 R-WHK-16 R-WHK-17 R-WHK-19',
    effect: 'E2',
  },
  roots.destinations,
);

keeps(
  'WAL-38',
  'adjustments, credit and debits',
  {
    requirement: 'R-CONV-18 R-CONV-27 R-WAL-10 R-WAL-11',
    effect: 'E3',
    assumes: 'A-303 A-306 A-709',
  },
  money.adjustments,
);

keeps(
  'X-69',
  'charges',
  { requirement: 'R-CONV-18 R-CONV-27 R-WAL-50', effect: 'E4', partly: 'A-303 A-306 A-709' },
  money.charges,
);

keeps(
  'TOP-43',
  'top-ups',
  { requirement: 'R-CONV-27', effect: 'E4', assumes: 'A-303 A-306' },
  money.topUps,
);

keeps(
  'EVT-106',
  'events',
  { requirement: 'R-CONV-27 R-EVT-09 R-EVT-10', effect: 'E3', partly: 'A-303 A-306' },
  usage.events,
);

keeps(
  'EVT-90',
  'costs',
  { requirement: 'R-CONV-27 R-EVT-36', effect: 'E3', assumes: 'A-303 A-306' },
  usage.costs,
);

keeps(
  'PRD-63',
  'a product and its prices',
  { requirement: 'R-CONV-07 R-CONV-27', effect: 'E2', assumes: 'A-306 A-501 A-505' },
  products.products,
  products.fixedPrices,
  products.usagePrices,
);

keeps(
  'PRD-73',
  'values of prices',
  { requirement: 'R-CONV-27', effect: 'E2', assumes: 'A-303 A-306 A-505 A-506' },
  products.values,
  products.quantities,
);

keeps(
  'PRD-74',
  'an entitlement, and tiers of a price',
  { requirement: 'R-CONV-27', effect: 'E2', assumes: 'A-303 A-306 A-505 A-506 A-511' },
  products.entitlements,
  products.tiers,
);

check(
  'X-96',
  { requirement: 'R-CONV-27', effect: 'E4', assumes: 'A-303' },
  'parts of charges at each limit of size, digits and decimal places → accepted, and the amount shown to the last digit',
  async (t) => {
    const charges = await money.charges(OWN_OBJECTS, t);
    const zero = { amount: 0, unit_price: 0, input_volume: 0, volume_rate: 0 };
    await expectRows(
      charges,
      decimals.flatMap((amount) => [
        { ...zero, amount, unit_price: amount, input_units: 1, package_size: amount },
        { ...zero, amount, unit_price: 1, input_units: amount },
        { ...zero, unit_price: amount, input_units: 0 },
        { ...zero, volume_rate: amount },
      ]),
    );
    const volumes = decimals.flatMap((amount) => [
      { amount, input_volume: amount, volume_rate: 1 },
      { amount, input_volume: 1, volume_rate: amount },
    ]);
    await assuming('A-307', () => expectRows(charges, volumes, true));
  },
);
