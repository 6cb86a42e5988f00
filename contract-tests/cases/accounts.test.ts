import {
  aConnectedAccount,
  aFreshAccount,
  anyOf,
  api,
  call,
  check,
  describe,
  expect,
  foreignKeys,
  refused,
  runMark,
  unique,
  unknownId,
  useUp,
} from '../kit/index.ts';
import type { Caller } from './shared/one-of-each.ts';

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

  check(
    'ACC-11',
    {
      requirement: ['R-ACC-15', 'R-ACC-18', 'R-AUTH-03', 'R-AUTH-06'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-103', 'A-104', 'A-105'],
    },
    'GET /accounts/self for the platform and for a connected account, with a test key, the live key of the same name and another test key → the id and name of each, the same organisation for keys of one name, the environment of the key',
    async () => {
      const [liveKey, strangerKey] = foreignKeys();
      const contexts = async (caller: Caller) => {
        const name = unique('account');
        const { id } = (
          await useUp('account', () =>
            call('createConnectedAccount', { body: { name }, ...caller }, [201]),
          )
        ).body;
        const context = async (who: Caller) => (await call('getAccountContext', who, [200])).body;
        const platform = await context(caller);

        expect(await context({ ...caller, actingFor: id })).toEqual({
          ...platform,
          account_id: id,
          name,
        });
        return platform;
      };
      const [test, live] = [await contexts({}), await contexts({ key: liveKey })];
      const stranger = await contexts({ key: strangerKey });

      expect(test).toMatchObject({ environment: 'test', name: liveKey.replace('key_live_', '') });
      expect(live).toEqual({ ...test, environment: 'live' });
      expect(stranger).toMatchObject({
        environment: 'test',
        name: strangerKey.replace('key_test_', ''),
      });
      for (const field of ['account_id', 'org_id'] as const) {
        expect(test[field]).toMatch(/^(acc|org)_/);
        expect(stranger[field]).not.toBe(test[field]);
      }
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

  check(
    'ACC-07',
    { requirement: ['R-ACC-03', 'R-ACC-06', 'R-ACC-07', 'R-ACC-08'], level: 'MUST', effect: 'E3' },
    'create with external_id and metadata → GET and list show both',
    async () => {
      const external_id = unique('account');
      const metadata = { ...runMark(), region: 'eu' };
      const { id } = await aFreshAccount({ external_id, metadata });
      const detail = await api('getConnectedAccount', { path: { accountId: id } }, 200);
      const { items } = await api('listConnectedAccounts', { query: { external_id } }, 200);

      expect(detail).toMatchObject({ external_id, metadata });
      expect(items).toEqual([expect.objectContaining({ id, external_id, metadata })]);
    },
  );

  check(
    'ACC-08',
    { requirement: 'R-ACC-17', level: 'ASSUMED', effect: 'E3', assumes: 'A-104' },
    'customer created with the account header → not visible without it, visible with it',
    async () => {
      const { id: actingFor } = await aConnectedAccount();
      const body = { name: 'Contract end user', metadata: runMark() };
      const made = await useUp('customer', () =>
        call('createCustomer', { body, actingFor }, [201]),
      );
      const path = { customerId: made.body.id };

      await call('getCustomer', { path, actingFor }, [200]);
      await call('getCustomer', { path }, [404]);
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
