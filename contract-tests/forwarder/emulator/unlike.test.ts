import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { onLoopback } from '../../kit/loopback.ts';
import { closedAfterTest } from '../../testing/server.ts';
import { aService, aTwin, requestsTo } from '../../testing/twin.ts';

const KEY = 'key_test_of-the-twin';

describe('a twin of a service with other settings', () => {
  const ELSEWHERE = { overdraft: 'deny', unknown_fields: 'warn', payment_link_lifetime: 'PT2H' };

  async function useOtherwise(url: string) {
    const twin = await aTwin(url);
    const ask = requestsTo(twin.url, KEY);
    const { id } = await ask('POST', '/customers', { name: 'Ada' });
    const charge = { transaction_id: randomUUID(), asset: 'USD', amount: 5 };
    await ask('POST', `/customers/${id}/wallet/charges`, charge);
    await ask('POST', '/top-ups', {
      ...{ customer_id: id, amount: 20, currency: 'USD' },
      ...{ return_url: 'https://shop.example/ok', failure_url: 'https://shop.example/no' },
    });
    const other = await ask('POST', '/customers', { name: 'Bob', odd: 1 });
    await ask('GET', `/customers/${other.id}`);
    await ask('GET', '/customers');
    return twin.end();
  }

  it('distinguishes causes from the differences that follow from them', async () => {
    const service = closedAfterTest(await aService(ELSEWHERE));
    const summary = await useOtherwise(service.url);

    expect(summary.causes.map(({ cause, count, followers }) => [cause, count, followers])).toEqual([
      ['chargeWallet status status', 1, 0],
      ['createTopUp body.expires_at time', 1, 0],
      ['createCustomer status status', 1, 2],
    ]);
    expect(summary.leftOut).toEqual({ 'it names what the emulator has nothing for': 1 });
  });
});

describe('a twin of a service whose state it cannot know', () => {
  it('leaves out requests for objects from before its start', async () => {
    const service = closedAfterTest(await aService());
    const { id } = await requestsTo(service.url, KEY)('POST', '/customers', { name: 'Ada' });
    const twin = await aTwin(service.url);
    const ask = requestsTo(twin.url, KEY);
    await ask('GET', `/customers/${id}`);
    await ask('POST', '/customers', { name: 'Bob' });
    const { causes, leftOut } = await twin.end();

    expect(causes).toEqual([]);
    expect(leftOut).toEqual({ 'it names what was there before': 1 });
  });

  it('follows the time of the service as its responses show it', async () => {
    const service = closedAfterTest(
      await aService({ clock: 'frozen', clock_now: '2026-01-31T10:00:00.500Z' }),
    );
    const twin = await aTwin(service.url);
    const [ask, beside] = [requestsTo(twin.url, KEY), requestsTo(service.url, KEY)];
    const { id } = await ask('POST', '/customers', { name: 'Ada' });
    const given = { transaction_id: randomUUID(), asset: 'USD', reason: 'gift', amount: 5 };
    const expires_at = '2026-02-10T00:00:00Z';
    await ask('POST', `/customers/${id}/wallet/adjustments`, { ...given, expires_at });
    await ask('GET', `/customers/${id}/wallet`);
    await beside('POST', '/_emulator/clock/advance', { by: 'P1M' });
    const { accounts } = await ask('GET', `/customers/${id}/wallet`);
    const { compared } = await twin.end();

    expect(twin.lines).toEqual([]);
    expect([compared, accounts[0].available]).toEqual([4, 0]);
  });

  it('reports no cause for differences between parallel writes', async () => {
    let balance = 0;
    const service = closedAfterTest(
      await onLoopback((asked, response) => {
        asked.resume();
        balance += 1;
        const place = { id: randomUUID(), created_at: balance };
        setTimeout(() => response.writeHead(201).end(JSON.stringify(place)), 100);
      }),
    );
    const twin = await aTwin(service.baseUrl);
    const ask = requestsTo(twin.url, KEY);
    await Promise.all([ask('POST', '/vendors', {}), ask('POST', '/vendors', {})]);
    const { causes, contended } = await twin.end();

    expect([causes, contended]).toEqual([[], 2]);
  });
});
