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
  // AST-01: create code+name → 201 code, created_at; GET shows precision 0 and label = code
  // (defaults)
  check('AST-01', async () => {
    const made = await create();
    const asset = await assetOf(made.code);

    expect(Date.parse(made.created_at)).not.toBeNaN();
    expect(asset).toMatchObject({ code: made.code, precision: 0, label: made.code });
  });

  // AST-02: codes `A`, 65 characters, lower case, `A_B`, empty → rejected (pattern)
  check('AST-02', async () => {
    for (const code of ['A', 'C'.repeat(65), 'ctlower', 'A_B', ''])
      await refused('createAsset', { body: body({ code }) });
  });

  // AST-03: codes of length 2 and 64 → accepted
  check('AST-03', async () => {
    const long = codeOfLength(64);
    await create({ code: long });

    expect(await assetOf(long)).toMatchObject({ code: long });
    const short = codeOfLength(2);
    const { status } = await useUp('asset', () =>
      call('createAsset', { body: body({ code: short }) }, [201, 422, 400]),
    );
    const shown = await assetOf(short);
    expect([status === 201 || shown.code === short, shown.code]).toEqual([true, short]);
  });

  // AST-04: precision −1, 11, 1.5 → rejected; 0 and 10 accepted
  check('AST-04', { effect: 'E1', title: 'refuses -1, 11 and 1.5' }, async () => {
    for (const precision of [-1, 11, 1.5])
      await refused('createAsset', { body: body({ precision }) });
  });

  check('AST-04', { effect: 'E3', title: 'accepts 0 and 10' }, async () => {
    for (const precision of [0, 10]) {
      const { code } = await create({ precision });
      expect(await assetOf(code)).toMatchObject({
        precision,
      });
    }
  });

  // AST-05: symbol of two letters → rejected; single letter, simple emoji → accepted; the response to a joined emoji is
  // recorded
  check('AST-05', { effect: 'E1', title: 'refuses two letters' }, async () => {
    await refused('createAsset', { body: body({ symbol: 'AB' }) });
  });

  check('AST-05', { effect: 'E3', title: 'accepts a letter and an emoji' }, async (t) => {
    for (const symbol of ['C', '✨']) {
      const { code } = await create({ symbol });
      expect(await assetOf(code)).toMatchObject({ symbol });
    }
    const joined = await useUp('asset', () =>
      call('createAsset', { body: body({ symbol: '👩‍💻' }) }, [201, 400, 422]),
    );
    t.observe('joined emoji', joined.status);
  });

  // AST-06: duplicate code → rejected, original unchanged (unique)
  check('AST-06', async () => {
    const { code, name } = await anAsset();
    await refused('createAsset', { body: { code, name: 'Contract double' } });

    expect(await assetOf(code)).toMatchObject({ name });
  });

  // AST-08: create with starting rate → GET shows source and schedule of ≥ 1 with valid_from and
  // rate
  check('AST-08', async () => {
    const { code } = await create({ rates: [{ source: 'USD', rate: 0.05 }] });
    const [period, ...others] = await scheduleOf(code);

    expect(others).toEqual([]);
    expect(period?.rate).toBe(0.05);
    expect(Date.parse(period?.valid_from ?? '')).not.toBeNaN();
  });

  // AST-19: create without code, and without name → rejected, nothing created
  check('AST-19', async () => {
    const code = uniqueAssetCode();
    await refused('createAsset', { body: { name: 'Contract units' } });
    await refused('createAsset', { body: { code } });
    await api('getAsset', { path: { assetCode: code } }, 404);
  });

  // AST-20: label and symbol sent on create → GET returns them
  check('AST-20', async () => {
    const given = { label: 'Tokens', symbol: 'T' };
    const { code } = await create(given);

    expect(await assetOf(code)).toMatchObject(given);
  });

  // AST-33: a currency cannot be created with other minor units than its own
  check('AST-33', async () => {
    const body = { code: 'KWD', name: 'Dinar', precision: 2 };

    await refused('createAsset', { body });
    expect((await assetOf('KWD')).precision).toBe(3);
  });
});

describe('listAssets', () => {
  // AST-07: list items hold code and name only, sorted by code
  check('AST-07', async () => {
    const { code, name } = await anAsset();
    if (isOurs()) await anAsset();
    const { items, total_count } = await api('listAssets', { query: { limit: 1000 } }, 200);
    const codes = items.map((asset) => asset.code);

    expect(codes).toEqual([...codes].sort());
    if (total_count <= 1000) expect(items).toContainEqual({ code, name });
  });

  // AST-43: assets created in reverse order of their codes, paged through → sorted by code across all pages
  check('AST-43', async () => {
    const made: string[] = [];
    for (const first of ['ZZ', 'MM', 'AA'])
      made.unshift((await aFreshAsset({ code: `${first}${uniqueAssetCode()}` })).code);
    const { items } = await pageOf({ list: 'listAssets' }, { limit: 1000 });
    const codes = items.map(({ code }) => code as string);

    expect(codes.filter((code) => made.includes(code))).toEqual(made);
    await walk({ list: 'listAssets' });
  });
});

describe('getAsset', () => {
  // AST-22: GET of a currency that nobody created → 200 with its minor units as precision
  check('AST-22', async () => {
    const { precision } = await assetOf('JPY');
    const dinar = await assetOf('KWD');

    expect([precision, dinar.precision]).toEqual([0, 3]);
  });
});
