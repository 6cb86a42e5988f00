import { expect, it } from 'vitest';
import { URLS } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { worldCalls } from '../../testing/worlds.ts';

it('an import gets a new token for a link whose token another world has, and keeps all others', async () => {
  const client = createTestClient();
  const { control, exported, textOf } = worldCalls(() => client);
  const order = { amount: 20, currency: 'USD', ...URLS };
  const linkOf = async (key: string) => {
    const { id } = await client.api('createCustomer', { key, body: { name: 'Acme' } }, 201);
    const body = { customer_id: id, ...order };
    const { redirect_url } = await client.api('createTopUp', { key, body }, 201);
    return String(redirect_url).split('/').at(-1) as string;
  };
  const victim = await linkOf('key_test_victim');
  const own = await linkOf('key_test_emulator');
  await control('importWorld', { body: await exported() });
  expect(await textOf()).toContain(own);
  const body = JSON.parse((await textOf()).replaceAll(own, victim));
  await control('importWorld', { body });

  expect(await textOf()).not.toContain(victim);
  const [topUp] = (await exported())['tables'].top_ups;
  const paths = [victim, topUp.payment.token].map((token) => `/hosted/checkout/${token}/pay`);
  for (const path of paths)
    await client.http.post(path).type('form').send({ method: 'bank_debit' });
  const states = async (key: string) =>
    (await exported(key))['tables'].top_ups.map((row: AnyBody) => row.payment.method?.kind);
  expect(await states('key_test_victim')).toEqual(['bank_debit']);
  expect(await states('key_test_emulator')).toEqual(['bank_debit']);
});
