import {
  aFreshAsset,
  aFreshCustomer,
  anAdjustment,
  anOwnWorld,
  api,
  assuming,
  call,
  check,
  expect,
  now,
  refused,
  table,
  uniqueAssetCode,
} from '../kit/index.ts';
import { pageOf, walk } from './shared/lists.ts';
import { DAY_MS } from './shared/times.ts';
import { assetOf, body, quoteOf, setRate } from './shared/wallets.ts';

/** A unique asset code of the given length. */
const codeOfLength = (length: number) => uniqueAssetCode().slice(-length).padStart(length, 'Z');

const create = (changes: object = {}) => api('createAsset', { body: body(changes) }, 201);

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
  'AST-43',
  { requirement: 'R-AST-18', effect: 'E3' },
  'codes of which one begins with another, and with numbers of one to three digits, created in reverse → by code and name alone, sorted character by character, digits before letters, so A10 before A9, across all pages',
  async () => {
    const code = uniqueAssetCode();
    const sorted = [
      '',
      '0Z',
      '1',
      '10',
      '100',
      '10A',
      '1A',
      '2',
      '9',
      '99',
      'A',
      'A10',
      'A9',
      'AA',
      'B0',
    ].map((end) => `${code}${end}`);
    for (const each of sorted.toReversed()) await aFreshAsset({ code: each });
    const { items } = await pageOf({ list: 'listAssets' }, { limit: 1000 });
    const own = items.filter((item) => String(item['code']).startsWith(code));

    expect(own).toEqual(sorted.map((each) => ({ code: each, name: 'Contract units' })));
    await walk({ list: 'listAssets' });
  },
);

/** Rates of an asset in USD. Times are days from now. */
interface Rates {
  /** The rates in the order in which they are set. */
  readonly set: readonly string[];
  /** The rate that a quote uses on some days; null where none is in force. */
  readonly quoted: Readonly<Record<string, number | null>>;
  /** The schedule as it is shown, newest first. */
  readonly shown: readonly string[];
}

table<Rates>(
  'AST-40',
  {
    requirement: 'R-AST-14 R-AST-29 R-AST-30 R-AST-38 R-AST-41 R-AST-42 R-AST-43',
    effect: 'E3',
    assumes: 'A-403 A-404',
  },
  'rates from the past and from later, in any order and with an end → the last one that began is in force, none after an end; the rate of another source stays without an end',
  {
    'the last one begins between others': {
      set: ['0.5 from -2', '0.8 from -0.5', '1 from 1', '0.6 from -1'],
      quoted: { now: 0.8, '-1.5': 0.5, '-1': 0.6, '1': 1, '2': 1 },
      shown: ['1 from 1', '0.8 from -0.5 to 1', '0.6 from -1 to -0.5', '0.5 from -2 to -1'],
    },
    'the last one begins before the current one': {
      set: ['2 from -6', '4 from -2', '8 from -4'],
      quoted: { now: 4, '-5': 2, '-4': 8, '-3': 8, '-2': 4, '-1': 4 },
      shown: ['4 from -2', '8 from -4 to -2', '2 from -6 to -4'],
    },
    'one begins with another, which it replaces': {
      set: ['2 from -4', '4 from -2', '8 from -2'],
      quoted: { now: 8, '-3': 2, '-2': 8 },
      shown: ['8 from -2', '4 from -2 to -2', '2 from -4 to -2'],
    },
    'one ends within the period of another': {
      set: ['2 from -4', '4 from -3 to -2'],
      quoted: { now: null, '-3.5': 2, '-2.5': 4, '-2': null, '-1': null, '1': null },
      shown: ['4 from -3 to -2', '2 from -4 to -3'],
    },
    'each ends where the next begins': {
      set: ['4 from -1', '2 from -3 to -1', '8 from -5 to -3'],
      quoted: { now: 4, '-1': 4, '-1.5': 2, '-3': 2, '-4': 8 },
      shown: ['4 from -1', '2 from -3 to -1', '8 from -5 to -3'],
    },
  },
  async ({ set, quoted, shown }) => {
    const start = Date.parse(now());
    const at = (day: string) => new Date(start + Number(day) * DAY_MS).toISOString();
    const { code: assetCode } = await aFreshAsset({ precision: 2 });
    await setRate(assetCode, { source: 'EUR', rate: 0.4, valid_from: at('-7') });
    for (const [rate, , from = '', , to] of set.map((one) => one.split(' ')))
      await setRate(assetCode, {
        rate: Number(rate),
        valid_from: at(from),
        ...(to && { valid_to: at(to) }),
      });

    for (const [day, rate] of Object.entries(quoted)) {
      const exchange_at = day === 'now' ? undefined : at(day);
      const parts = { path: { assetCode }, body: { source: 'USD', amount: 8, exchange_at } };
      const { body } = await call('quoteAsset', parts, [200, 422]);
      expect(body.rate ?? null, `quote on ${day}`).toEqual(rate);
    }
    expect((await quoteOf(assetCode, 8, 'EUR')).rate, 'quote in another source').toBe(0.4);
    const { rates } = await assetOf(assetCode);
    const day = (instant: string) => (Date.parse(instant) - start) / DAY_MS;
    const [dollar, euro] = ['USD', 'EUR'].map((each) =>
      rates
        .find(({ source }) => source === each)
        ?.schedule.map(({ rate, valid_from, valid_to }) =>
          [`${rate} from ${day(valid_from)}`, ...(valid_to ? [day(valid_to)] : [])].join(' to '),
        ),
    );
    expect([dollar, euro]).toEqual([shown, ['0.4 from -7']]);
  },
);

const [FEBRUARY, MARCH, APRIL] = [
  '2026-02-01T00:00:00.000Z',
  '2026-03-01T12:00:00.000Z',
  '2026-04-01T00:00:00.000Z',
] as const;

check(
  'AST-45',
  {
    requirement: 'R-AST-29 R-AST-34',
    effect: 'E4',
    assumes: 'A-401 A-403',
    needs: 'clock.movable',
  },
  'currency with rates of two sources, then created as an asset with a new rate of one and of a third; created again; another created by its name alone → existing rates and precision stay, the current one ends, future ones are kept; the second creation is rejected',
  async (t) => {
    const call = anOwnWorld(t);
    await call('setClock', { body: { mode: 'frozen', now: MARCH } });
    const told = [
      { source: 'USD', rate: 1.25, valid_from: FEBRUARY },
      { source: 'USD', rate: 1.6, valid_from: APRIL },
      { source: 'GBP', rate: 0.8, valid_from: FEBRUARY },
    ];
    for (const body of told)
      for (const assetCode of ['EUR', 'CHF'])
        await call('setAssetRate', { path: { assetCode }, body });
    const shown = (assetCode: string) => call('getAsset', { path: { assetCode } });
    const franc = await shown('CHF');
    const starting = [
      { source: 'USD', rate: 2 },
      { source: 'JPY', rate: 160 },
    ];
    const euro = { code: 'EUR', name: 'Euro', rates: starting };
    await call('createAsset', { body: euro });
    await call('createAsset', { body: { code: 'CHF', name: 'Franc' } });
    const after = await shown('EUR');

    const ahead = { valid_from: APRIL, rate: 1.6, inverse_rate: 0.625 };
    const former = { valid_from: FEBRUARY, rate: 1.25, inverse_rate: 0.8 };
    const present = { valid_from: MARCH, valid_to: APRIL, rate: 2, inverse_rate: 0.5 };
    const yen = { valid_from: MARCH, rate: 160, inverse_rate: 0.00625 };
    const pound = { valid_from: FEBRUARY, rate: 0.8, inverse_rate: 1.25 };
    expect(franc.rates).toEqual([
      { source: 'USD', schedule: [ahead, { ...former, valid_to: APRIL }] },
      { source: 'GBP', schedule: [pound] },
    ]);
    expect(after.rates).toEqual([
      { source: 'USD', schedule: [ahead, present, { ...former, valid_to: MARCH }] },
      { source: 'JPY', schedule: [yen] },
      { source: 'GBP', schedule: [pound] },
    ]);
    expect(await shown('CHF')).toEqual({ ...franc, name: 'Franc', created_at: MARCH });
    await expect(call('createAsset', { body: euro })).rejects.toThrow('422');
    expect(await shown('EUR')).toEqual(after);
  },
);

/** Quotes of currencies in each other once they have rates: asset, source, amount and what it buys. */
const CROSS = [
  ['EUR', 'USD', 10.123455, 8.098764],
  ['JPY', 'USD', 0.0042, 0.525],
  ['JPY', 'EUR', 7.5, 750],
  ['KWD', 'JPY', 0.8, 0.0025],
] as const;

check(
  'AST-51',
  { requirement: 'R-AST-37 R-AST-40', effect: 'E4', assumes: 'A-404', needs: 'clock.movable' },
  'currencies quoted in themselves, at any time, for any account, with rates of others and created as assets → each amount above 0 unchanged at a rate of 1; in each other → money in the source, at the rate of that direction alone',
  async (t) => {
    const call = anOwnWorld(t);
    const { id: actingFor } = await call('createConnectedAccount', { body: { name: 'Shop' } });
    const quote = (assetCode: string, body: object, statuses = [200], who = {}) =>
      call('quoteAsset', { path: { assetCode }, body, ...who }, statuses);
    const expectItself = async () => {
      for (const code of ['EUR', 'JPY', 'KWD', 'CLF'])
        for (const [amount, time, who] of [
          [1234567.87654321, {}, {}],
          [0.0000000001, { exchange_at: now(-400 * DAY_MS) }, { actingFor }],
        ] as const)
          expect(await quote(code, { source: code, amount, ...time }, [200], who)).toEqual({
            source: code,
            source_amount: amount,
            rate: 1,
            inverse_rate: 1,
            destination: code,
            destination_amount: amount,
          });
      for (const amount of [0, -0.0000000001]) await quote('EUR', { source: 'EUR', amount }, [422]);
    };
    const setRate = (assetCode: string, source: string, rate: number) =>
      call('setAssetRate', { path: { assetCode }, body: { source, rate } });

    await expectItself();
    await setRate('EUR', 'USD', 1.25);
    await setRate('JPY', 'USD', 0.008);
    await setRate('JPY', 'EUR', 0.01);
    const rates = [{ source: 'JPY', rate: 320 }];
    await call('createAsset', { body: { code: 'KWD', name: 'Dinar', rates } });
    await call('createAsset', { body: { code: 'JPY', name: 'Yen' } });
    await expectItself();
    for (const [code, source, amount, bought] of CROSS)
      expect(await quote(code, { source, amount })).toMatchObject({
        source,
        source_amount: amount,
        destination: code,
        destination_amount: bought,
      });
    await quote('USD', { source: 'EUR', amount: 1 }, [422]);
    await quote('EUR', { source: 'JPY', amount: 1 }, [422]);
  },
);
