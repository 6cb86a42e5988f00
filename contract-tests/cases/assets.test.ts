import {
  aFreshAsset,
  anAsset,
  api,
  call,
  check,
  describe,
  expect,
  isOurs,
  refused,
  uniqueAssetCode,
  useUp,
} from '../kit/index.ts';
import { assetOf, body, scheduleOf } from './shared/assets.ts';
import { pageOf, walk } from './shared/lists.ts';

/** A unique asset code of the given length. */
function codeOfLength(length: number): string {
  return uniqueAssetCode().slice(-length).padStart(length, 'Z');
}

const create = (changes: object = {}) =>
  useUp('asset', () => api('createAsset', { body: body(changes) }, 201));

describe('createAsset', () => {
  check(
    'AST-01',
    {
      requirement: [
        'R-AST-04',
        'R-AST-06',
        'R-AST-08',
        'R-AST-10',
        'R-AST-17',
        'R-AST-19',
        'R-LIM-06',
      ],
      level: 'MUST',
      effect: 'E3',
    },
    'create code+name → 201 code, created_at; GET shows precision 0 and label = code (defaults)',
    async () => {
      const made = await create();
      const asset = await assetOf(made.code);

      expect(Date.parse(made.created_at)).not.toBeNaN();
      expect(asset).toMatchObject({ code: made.code, precision: 0, label: made.code });
    },
  );

  check(
    'AST-02',
    { requirement: ['R-AST-03', 'R-LIM-05'], level: 'MUST', effect: 'E1' },
    'codes `A`, 65 characters, lower case, `A_B`, empty → rejected (pattern)',
    async () => {
      for (const code of ['A', 'C'.repeat(65), 'ctlower', 'A_B', ''])
        await refused('createAsset', { body: body({ code }) });
    },
  );

  check(
    'AST-03',
    { requirement: ['R-AST-03', 'R-LIM-05'], level: 'MUST', effect: 'E3' },
    'codes of length 2 and 64 → accepted',
    async () => {
      const long = codeOfLength(64);
      await create({ code: long });

      expect(await assetOf(long)).toMatchObject({ code: long });
      const short = codeOfLength(2);
      const { status } = await useUp('asset', () =>
        call('createAsset', { body: body({ code: short }) }, [201, 422, 400]),
      );
      const shown = await assetOf(short);
      expect([status === 201 || shown.code === short, shown.code]).toEqual([true, short]);
    },
  );

  check(
    'AST-04',
    { requirement: ['R-AST-05', 'R-LIM-06'], level: 'MUST', effect: 'E1' },
    'precision −1, 11, 1.5 → rejected; 0 and 10 accepted: refuses -1, 11 and 1.5',
    async () => {
      for (const precision of [-1, 11, 1.5])
        await refused('createAsset', { body: body({ precision }) });
    },
  );

  check(
    'AST-52',
    { requirement: ['R-AST-05', 'R-LIM-06'], level: 'MUST', effect: 'E3' },
    'precision −1, 11, 1.5 → rejected; 0 and 10 accepted: accepts 0 and 10',
    async () => {
      for (const precision of [0, 10]) {
        const { code } = await create({ precision });
        expect(await assetOf(code)).toMatchObject({
          precision,
        });
      }
    },
  );

  check(
    'AST-05',
    { requirement: ['R-AST-09', 'R-LIM-07'], level: 'MUST', effect: 'E1' },
    'symbol of two letters → rejected; single letter, simple emoji → accepted; the response to a joined emoji is recorded: refuses two letters',
    async () => {
      await refused('createAsset', { body: body({ symbol: 'AB' }) });
    },
  );

  check(
    'AST-53',
    { requirement: ['R-AST-09', 'R-LIM-07'], level: 'MUST', effect: 'E3' },
    'symbol of two letters → rejected; single letter, simple emoji → accepted; the response to a joined emoji is recorded: accepts a letter and an emoji',
    async (t) => {
      for (const symbol of ['C', '✨']) {
        const { code } = await create({ symbol });
        expect(await assetOf(code)).toMatchObject({ symbol });
      }
      const joined = await useUp('asset', () =>
        call('createAsset', { body: body({ symbol: '👩‍💻' }) }, [201, 400, 422]),
      );
      t.observe('joined emoji', joined.status);
    },
  );

  check(
    'AST-06',
    { requirement: 'R-AST-02', level: 'MUST', effect: 'E1' },
    'duplicate code → rejected, original unchanged (unique)',
    async () => {
      const { code, name } = await anAsset();
      await refused('createAsset', { body: { code, name: 'Contract double' } });

      expect(await assetOf(code)).toMatchObject({ name });
    },
  );

  check(
    'AST-08',
    { requirement: ['R-AST-11', 'R-AST-12', 'R-AST-19', 'R-AST-35'], level: 'MUST', effect: 'E3' },
    'create with starting rate → GET shows source and schedule of ≥ 1 with valid_from and rate',
    async () => {
      const { code } = await create({ rates: [{ source: 'USD', rate: 0.05 }] });
      const [period, ...others] = await scheduleOf(code);

      expect(others).toEqual([]);
      expect(period?.rate).toBe(0.05);
      expect(Date.parse(period?.valid_from ?? '')).not.toBeNaN();
    },
  );

  check(
    'AST-19',
    { requirement: ['R-AST-01', 'R-AST-04'], level: 'MUST', effect: 'E1' },
    'create without code, and without name → rejected, nothing created',
    async () => {
      const code = uniqueAssetCode();
      await refused('createAsset', { body: { name: 'Contract units' } });
      await refused('createAsset', { body: { code } });
      await api('getAsset', { path: { assetCode: code } }, 404);
    },
  );

  check(
    'AST-20',
    { requirement: ['R-AST-07', 'R-AST-09'], level: 'MUST', effect: 'E3' },
    'label and symbol sent on create → GET returns them',
    async () => {
      const given = { label: 'Tokens', symbol: 'T' };
      const { code } = await create(given);

      expect(await assetOf(code)).toMatchObject(given);
    },
  );

  check(
    'AST-33',
    { requirement: 'R-AST-34', level: 'ASSUMED', effect: 'E2', assumes: 'A-401' },
    'a currency cannot be created with other minor units than its own',
    async () => {
      const body = { code: 'KWD', name: 'Dinar', precision: 2 };

      await refused('createAsset', { body });
      expect((await assetOf('KWD')).precision).toBe(3);
    },
  );
});

describe('listAssets', () => {
  check(
    'AST-07',
    { requirement: ['R-AST-16', 'R-AST-18'], level: 'MUST', effect: 'E0' },
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
    { requirement: 'R-AST-18', level: 'MUST', effect: 'E3' },
    'assets created in reverse order of their codes, paged through → sorted by code across all pages',
    async () => {
      const made: string[] = [];
      for (const first of ['ZZ', 'MM', 'AA'])
        made.unshift((await aFreshAsset({ code: `${first}${uniqueAssetCode()}` })).code);
      const { items } = await pageOf({ list: 'listAssets' }, { limit: 1000 });
      const codes = items.map(({ code }) => code as string);

      expect(codes.filter((code) => made.includes(code))).toEqual(made);
      await walk({ list: 'listAssets' });
    },
  );
});

describe('getAsset', () => {
  check(
    'AST-22',
    { requirement: 'R-AST-34', level: 'ASSUMED', effect: 'E0', assumes: 'A-401' },
    'GET of a currency that nobody created → 200 with its minor units as precision',
    async () => {
      const { precision } = await assetOf('JPY');
      const dinar = await assetOf('KWD');

      expect([precision, dinar.precision]).toEqual([0, 3]);
    },
  );
});
