import { describe, expect, it } from 'vitest';
import { createTestClient, TEST_NOW, type TestClient } from '../../testing/client.ts';

const as = (account: string) => ({ headers: { 'X-Service-Account': account } });

async function aConnectedAccount({ api }: TestClient): Promise<string> {
  const { id } = await api('createConnectedAccount', { body: { name: 'Northwind' } }, 201);
  return id;
}

describe('createConnectedAccount', () => {
  it('stores an account that getConnectedAccount returns', async () => {
    const { api } = createTestClient();
    const body = { name: 'Northwind', external_id: 'northwind', metadata: { region: 'eu' } };

    const created = await api('createConnectedAccount', { body }, 201);

    expect(created).toEqual({ id: expect.stringMatching(/^acc_[0-9a-hjkmnp-tv-z]{26}$/) });
    expect(await api('getConnectedAccount', { path: { accountId: created.id } }, 200)).toEqual({
      id: created.id,
      ...body,
      created_at: TEST_NOW,
    });
  });

  it('rejects a connected account of a connected account', async () => {
    const client = createTestClient();
    const id = await aConnectedAccount(client);

    const { errors } = await client.api(
      'createConnectedAccount',
      { body: { name: 'Inner' }, ...as(id) },
      422,
    );

    expect(errors).toEqual({
      'X-Service-Account': ['A connected account cannot have connected accounts of its own.'],
    });
  });
});

describe('getAccountContext', () => {
  it('returns the environment of the key, and the same account and organisation in test and live', async () => {
    const { api } = createTestClient();

    const test = await api('getAccountContext', { key: 'key_test_acme' }, 200);
    const live = await api('getAccountContext', { key: 'key_live_acme' }, 200);
    const other = await api('getAccountContext', { key: 'key_test_other' }, 200);

    expect(test).toEqual({
      account_id: expect.stringMatching(/^acc_[0-9a-hjkmnp-tv-z]{26}$/),
      environment: 'test',
      org_id: expect.stringMatching(/^org_[0-9a-hjkmnp-tv-z]{26}$/),
      name: 'acme',
    });
    expect(live).toEqual({ ...test, environment: 'live' });
    expect(other.account_id).not.toBe(test.account_id);
    expect(other.org_id).not.toBe(test.org_id);
  });
});
