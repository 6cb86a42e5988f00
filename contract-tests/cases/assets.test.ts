import {
  aFreshAsset,
  aFreshCustomer,
  amount,
  anAdjustment,
  anAsset,
  api,
  assuming,
  aUsageEvent,
  call,
  check,
  expect,
  isOurs,
  refused,
  table,
  uniqueAssetCode,
} from '../kit/index.ts';
import { assetOf, body, type Schedule, scheduleOf } from './shared/assets.ts';
import { aPayer, price, stored } from './shared/events.ts';
import { pageOf, walk } from './shared/lists.ts';

/** A unique asset code of the given length. */
const codeOfLength = (length: number) => uniqueAssetCode().slice(-length).padStart(length, 'Z');

const create = (changes: object = {}) => api('createAsset', { body: body(changes) }, 201);

interface Given {
  readonly label?: string;
  readonly symbol?: string;
  readonly precision?: number;
  readonly rates?: readonly { readonly source: string; readonly rate: number }[];
}

table<Given>(
  'AST-01',
  {
    requirement:
      'R-AST-03 R-AST-04 R-AST-05 R-AST-06 R-AST-07 R-AST-08 R-AST-09 R-AST-10 R-AST-11 R-AST-12 R-AST-17 R-AST-19 R-AST-35 R-LIM-05 R-LIM-06 R-LIM-07',
    effect: 'E3',
  },
  'create → 201 with code and created_at; GET shows every field sent, by default precision 0 and the code as label, and a period with valid_from of a starting rate',
  {
    'required fields': {},
    'every field': {
      ...{ label: 'Tokens', symbol: 'T', precision: 10 },
      rates: [{ source: 'USD', rate: 0.05 }],
    },
  },
  async ({ rates = [], ...fields }) => {
    const { code, created_at } = await create({ ...fields, rates });
    const periods = await scheduleOf(code);
    expect(Date.parse(created_at), 'created_at').not.toBeNaN();
    expect(await assetOf(code)).toMatchObject({ precision: 0, label: code, ...fields, code });
    expect(periods.map(({ rate }) => rate)).toEqual(rates.map(({ rate }) => rate));
    for (const { valid_from } of periods)
      expect(Date.parse(valid_from), 'valid_from').not.toBeNaN();
  },
);

check(
  'AST-03',
  { requirement: 'R-AST-03 R-AST-09 R-LIM-05 R-LIM-07', effect: 'E3' },
  'code of 64 characters → accepted, of two → accepted or taken; the response to a symbol of joined emojis is recorded',
  async (t) => {
    const { code: long } = await create({ code: codeOfLength(64) });
    const code = codeOfLength(2);
    const sent = (changes: object) => ({ body: body(changes) });
    const short = await call('createAsset', sent({ code }), [201, 422, 400]);
    const shown = await assetOf(code);
    const joined = sent({ symbol: '👩‍💻' });
    const emoji = await call('createAsset', joined, [201, 400, 422]);
    t.observe('joined emoji', emoji.status);

    expect((await assetOf(long)).code).toBe(long);
    await assuming('A-702', async () => {
      const customer = await aFreshCustomer();
      const account_name = 'a'.repeat(64);
      await anAdjustment(customer, { asset: long, account_name });
      const path = { customerId: customer.id, accountId: `${account_name}:${long}` };
      expect((await api('getWalletAccount', { path }, 200)).id).toBe(path.accountId);
    });
    expect([short.status === 201 || shown.code === code, shown.code]).toEqual([true, code]);
  },
);

check(
  'AST-06',
  { requirement: 'R-AST-01 R-AST-02 R-AST-04', effect: 'E1' },
  'duplicate code → rejected, original unchanged; rejected without a name → nothing created',
  async () => {
    const { code, name } = await anAsset();
    const other = uniqueAssetCode();
    await refused('createAsset', { body: { code, name: 'Contract double' } });
    await refused('createAsset', { body: { code: other } });

    expect(await assetOf(code)).toMatchObject({ name });
    await api('getAsset', { path: { assetCode: other } }, 404);
  },
);

check(
  'AST-22',
  { requirement: 'R-AST-34', effect: 'E1', assumes: 'A-401' },
  'a currency that nobody created → shown with its minor units as precision; it cannot be created with others',
  async () => {
    const precisions = async () => [
      (await assetOf('JPY')).precision,
      (await assetOf('KWD')).precision,
    ];
    expect(await precisions()).toEqual([0, 3]);
    await refused('createAsset', { body: { code: 'KWD', name: 'Dinar', precision: 2 } });
    expect(await precisions()).toEqual([0, 3]);
  },
);

check(
  'AST-07',
  { requirement: 'R-AST-16 R-AST-18', effect: 'E0' },
  'list items hold code and name only, sorted by code',
  async () => {
    const { code, name } = await anAsset();
    if (isOurs()) await anAsset();
    const { items, total_count } = await api('listAssets', { query: { limit: 1000 } }, 200);
    const codes = items.map((asset) => asset.code);

    expect(codes).toEqual([...codes].sort());
    if (total_count <= 1000) expect(items).toContainEqual({ code, name });
  },
);

check(
  'AST-43',
  { requirement: 'R-AST-18', effect: 'E3' },
  'codes of which one begins with another, and with numbers of one to three digits, created in reverse → sorted character by character, digits before letters, so A10 before A9, across all pages',
  async () => {
    const code = uniqueAssetCode();
    const sorted = [
      ...['', '0Z', '1', '10', '100', '10A', '1A', '2', '9', '99'],
      ...['A', 'A10', 'A9', 'AA', 'B0'],
    ].map((end) => `${code}${end}`);
    for (const each of sorted.toReversed()) await aFreshAsset({ code: each });
    const { items } = await pageOf({ list: 'listAssets' }, { limit: 1000 });
    const shown = items.map((item) => item['code'] as string);

    expect(shown.filter((each) => each.startsWith(code))).toEqual(sorted);
    await walk({ list: 'listAssets' });
  },
);

/** A rate as it is sent, and as it is meant; what is paid, and how much of the asset that buys. */
type Rate = readonly [sent: string, rate: string, paid: number, bought: string];

table<Rate>(
  'AST-48',
  { requirement: 'R-AST-27', effect: 'E3', assumes: 'A-303 A-902' },
  'rates of ten decimals, of fifteen digits, very large, and each in exponent notation → accepted, shown exactly, and used exactly in quotes and in the revenue of a fee',
  {
    'a negative exponent': ['25E-8', '0.00000025', 0.75, '3000000'],
    'the tenth decimal': ['1e-10', '0.0000000001', 0.5, '5000000000'],
    'ten decimals': ['0.1234567891', '0.1234567891', 1234567891, '10000000000'],
    'fifteen digits': ['12345.6789012345', '12345.6789012345', 123456789012345, '10000000000'],
    'a positive exponent': ['1.25e+12', '1250000000000', 2500000000000, '2'],
    'fifteen nines': ['999999999999999', '999999999999999', 999999999999999, '1'],
  },
  async ([sent, rate, paid, bought]) => {
    const { code } = await aFreshAsset({ precision: 2 });
    const path = { assetCode: code };
    await call('setAssetRate', { path, raw: `{"source":"USD","rate":${sent}}` }, [204]);
    const [shown] = await scheduleOf(code);
    const quote = await api('quoteAsset', { path, body: { source: 'USD', amount: paid } }, 200);
    const { customer, eventType } = await aPayer((type) => [
      { ...price(type, 'unit', []), pricing: [{ asset: code, values: [{ unit_price: 1 }] }] },
    ]);
    const { stats } = await stored((await aUsageEvent(customer, eventType)).id);

    expect(String(amount(shown as Schedule[number], 'rate')), 'rate').toBe(rate);
    expect(String(amount(quote, 'rate')), 'rate of the quote').toBe(rate);
    expect(String(amount(quote, 'destination_amount')), 'destination_amount').toBe(bought);
    const { gross_revenue } = stats as NonNullable<typeof stats>;
    expect(gross_revenue, 'gross_revenue').toBe(Number(rate));
  },
);
