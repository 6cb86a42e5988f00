import { describe, expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../testing/client.ts';

const as = (account: string) => ({ headers: { 'X-Service-Account': account } });

async function aConnectedAccount({ api }: TestClient): Promise<string> {
  const { id } = await api('createConnectedAccount', { body: { name: 'Northwind' } }, 201);
  return id;
}

describe('createConnectedAccount', () => {
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
