import {
  aFreshAccount,
  api,
  building,
  call,
  check,
  expect,
  foreignKeys,
  unique,
} from '../kit/index.ts';
import type { Caller } from './shared/one-of-each.ts';

check(
  'ACC-01',
  { requirement: 'R-ACC-13 R-ACC-14 R-ACC-15 R-ACC-18 R-AUTH-03 R-VER-07', effect: 'E0' },
  'GET /accounts/self → account_id, environment live or test',
  async () => {
    const context = await api('getAccountContext', {}, 200);

    expect(context.account_id).not.toBe('');
    expect(['live', 'test']).toContain(context.environment);
  },
);

check(
  'ACC-10',
  {
    requirement: 'R-ACC-09 R-ACC-10 R-ACC-15 R-ACC-18 R-ACC-19 R-AUTH-06',
    effect: 'E3',
    assumes: 'A-104 A-105',
  },
  'a connected account reads its context, and requests itself and another account by id and in the list → its own id and name, all else as the platform has it; 404 by id; an empty list',
  async () => {
    const name = unique('account');
    const [own, sibling] = [await aFreshAccount({ name }), await aFreshAccount()];
    const actingFor = own.id;
    const contextOf = async (who: Caller) => (await call('getAccountContext', who, [200])).body;
    const platform = await contextOf({});
    expect(platform.account_id, 'account_id of the platform').not.toBe(own.id);
    expect(await contextOf({ actingFor })).toEqual({ ...platform, account_id: own.id, name });
    for (const { id } of [sibling, own]) {
      const path = { accountId: id };
      await api('getConnectedAccount', { path }, 200);
      expect((await call('getConnectedAccount', { path, actingFor }, [404])).text).toBe('');
    }
    const { body } = await call('listConnectedAccounts', { actingFor }, [200]);
    expect(body, 'its list').toMatchObject({ items: [], total_count: 0 });
  },
);

check(
  'ACC-13',
  { requirement: 'R-ACC-18 R-AUTH-03', effect: 'E3', assumes: 'A-103' },
  'GET /accounts/self with a test key, the live key of the same name and another test key, and by a connected account with the live key → the environment of the key, the same account for one name',
  async () => {
    const [liveKey, strangerKey] = foreignKeys();
    const contexts = [];
    for (const key of [liveKey.replace('key_live_', 'key_test_'), liveKey, strangerKey])
      contexts.push((await call('getAccountContext', { key }, [200])).body);
    const name = liveKey.replace('key_live_', '');
    expect(contexts[0]).toMatchObject({ environment: 'test', name });
    expect(contexts[1]).toEqual({ ...contexts[0], environment: 'live' });
    expect(contexts[2].account_id, 'account of another key').not.toBe(contexts[0].account_id);
    expect(contexts[2].environment, 'environment of another key').toBe('test');

    const live = { key: liveKey };
    const { id: actingFor } = await building('connected account', async () => {
      const body = { name: 'Contract live' };
      return (await call('createConnectedAccount', { body, ...live }, [201])).body;
    });
    const { environment } = (await call('getAccountContext', { ...live, actingFor }, [200])).body;
    expect(environment, 'environment of a connected account').toBe('live');
  },
);
