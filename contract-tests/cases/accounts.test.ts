import {
  aConnectedAccount,
  aFreshAccount,
  anyOf,
  api,
  call,
  check,
  describe,
  expect,
  refused,
  unique,
  unknownId,
} from '../kit/index.ts';

describe('getAccountContext', () => {
  check(
    'ACC-01',
    {
      requirement: ['R-ACC-13', 'R-ACC-14', 'R-ACC-15', 'R-ACC-18', 'R-AUTH-03', 'R-VER-07'],
      level: 'MUST',
      effect: 'E0',
    },
    'GET /accounts/self → account_id, environment in {live, test}',
    async () => {
      const context = await api('getAccountContext', {}, 200);

      expect(context.account_id).not.toBe('');
      expect(['live', 'test']).toContain(context.environment);
    },
  );
});

describe('createConnectedAccount', () => {
  check(
    'ACC-02',
    { requirement: ['R-ACC-01', 'R-ACC-05', 'R-ACC-11', 'R-CONV-12'], level: 'MUST', effect: 'E3' },
    'create with name → 201, `acc_` id, exactly readable by GET with id, name, created_at',
    async () => {
      const { id, name, external_id } = await aConnectedAccount();
      const account = await api('getConnectedAccount', { path: { accountId: id } }, 200);

      expect(id).toMatch(/^acc_/);
      expect(account).toMatchObject({ id, name, external_id });
    },
  );

  check(
    'ACC-03',
    { requirement: 'R-ACC-02', level: 'MUST', effect: 'E1' },
    'create without name → 422 or 400, nothing listed afterwards (name required)',
    async () => {
      const external_id = unique('account');
      await refused('createConnectedAccount', { body: { external_id } });
      const { items } = await api('listConnectedAccounts', { query: { external_id } }, 200);

      expect(items).toEqual([]);
    },
  );

  check(
    'ACC-04',
    { requirement: 'R-ACC-04', level: 'MUST', effect: 'E3' },
    'second create with same external_id → 422 or 400 (unique across all accounts)',
    async () => {
      const { external_id } = await aConnectedAccount();
      await refused('createConnectedAccount', { body: { name: 'Contract double', external_id } });
      const { items } = await api('listConnectedAccounts', { query: { external_id } }, 200);

      expect(items).toHaveLength(1);
    },
  );
});

describe('listConnectedAccounts', () => {
  check(
    'ACC-05',
    { requirement: ['R-ACC-09', 'R-ACC-10'], level: 'MUST', effect: 'E0' },
    'list filter external_id → only that account; unknown value → empty page (no redirect here)',
    async () => {
      await anyOf('account');
      const { items } = await api('listConnectedAccounts', { query: { limit: 50 } }, 200);
      const known = items.find(({ external_id }) => external_id);
      const unknown = await api('listConnectedAccounts', { query: { external_id: unique() } }, 200);

      expect(unknown).toMatchObject({ items: [], total_count: 0 });
      if (!known?.external_id) return;
      const found = await api(
        'listConnectedAccounts',
        { query: { external_id: known.external_id } },
        200,
      );
      expect(found.items.map(({ id }) => id)).toEqual([known.id]);
    },
  );
});

describe('getConnectedAccount', () => {
  check(
    'ACC-06',
    { requirement: 'R-ACC-12', level: 'MUST', effect: 'E0' },
    'GET unknown id → 404 no body',
    async () => {
      const { text } = await call(
        'getConnectedAccount',
        { path: { accountId: unknownId('acc') } },
        [404],
      );

      expect(text).toBe('');
    },
  );

  check(
    'ACC-10',
    { requirement: 'R-ACC-19', level: 'ASSUMED', effect: 'E3', assumes: 'A-104' },
    'a connected account requests itself or another account → 404 by id, and an empty list',
    async () => {
      const [own, sibling] = [await aFreshAccount(), await aFreshAccount()];
      const actingFor = own.id;
      for (const { id } of [sibling, own]) {
        const path = { accountId: id };
        await api('getConnectedAccount', { path }, 200);
        expect((await call('getConnectedAccount', { path, actingFor }, [404])).text).toBe('');
      }
      const { body } = await call('listConnectedAccounts', { actingFor }, [200]);

      expect(body).toMatchObject({ items: [], total_count: 0 });
    },
  );
});
