import { beforeAll, expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

let client: TestClient;
const save = (name: string) => client.api('saveSnapshot', { body: { name } }, 201);
const page = async (address: string) => {
  const { status, text } = await client.http.get(`/_emulator/ui/time${address}`);
  return { status, words: text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '), text };
};

beforeAll(async () => {
  client = createTestClient();
  const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  await save('before');
  const path = { customerId: id };
  await client.api('updateCustomer', { path, body: { name: 'Acme & Sons' } }, 204);
  await client.api('createCustomer', { body: { name: 'Globex' } }, 201);
  const body = { transaction_id: '00000000-0000-4000-8000-000000000001', asset: 'USD' };
  const gift = { ...body, amount: 12.5, reason: 'gift' };
  await client.api('adjustWallet', { path, body: gift }, 201);
});

it('the comparison of snapshots shows both sides of each difference', async () => {
  const { status, words } = await page('/compare?from=before');

  expect(status).toBe(200);
  for (const part of [
    'Requests between 3 Customers 2 +1',
    '1 added, 1 changed',
    '2 of 2 customers differ',
    'Record Field Before After Difference',
    '~ Acme &amp; Sons Name Acme Acme &amp; Sons',
    '+ Globex',
  ])
    expect(words).toContain(part);
});

it('the comparison of snapshots reports no differences, and an unknown name with 422', async () => {
  const same = await page('/compare?from=before&to=before');
  const other = await page('/compare?from=befor');

  expect([same.status, same.words.includes('No differences.')]).toEqual([200, true]);
  expect(other.status).toBe(422);
  expect(other.words).toContain(
    'Nothing is named befor in world test/emulator; the nearest is before.',
  );
});

it('each snapshot says what a restore changes, with a link to the comparison', async () => {
  const { text } = await page('');
  const { text: found } = await page('/compare?to=before');
  const globex = [...found.matchAll(/href="([^"]*\/customers\/[^"]*)"/g)].map(([, href]) => href);

  expect(text).toMatch(
    /href="\/_emulator\/ui\/time\/compare\?to=before">−1 customer, −1 ledger transaction</,
  );
  expect((await client.http.get(globex[0] as string)).status).toBe(200);
});
