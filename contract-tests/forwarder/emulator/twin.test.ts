import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { shapeMutants, startSpoiledEmulator } from '../../selftest/shape-mutants.ts';
import { closedAfterTest, onLoopback } from '../../testing/server.ts';
import { aService, aTwin, requestsTo, useService } from '../../testing/twin.ts';
import type { TwinSummary } from './report.ts';

const KEY = 'key_test_of-the-twin';
const causesOf = ({ causes }: TwinSummary) => causes.map(({ cause }) => cause);

describe('a client of the twin', () => {
  it('gets each webhook delivery once: the emulator sends none', async () => {
    const heard: string[] = [];
    const receiver = closedAfterTest(
      await onLoopback((asked, response) => {
        heard.push(asked.url as string);
        asked.resume();
        response.writeHead(204).end();
      }),
    );
    const service = closedAfterTest(await aService());
    const twin = await aTwin(service.url);
    const ask = requestsTo(twin.url, KEY);
    const { id } = await ask('POST', '/webhooks', { url: `${receiver.baseUrl}/hooks` });
    await ask('POST', `/webhooks/${id}/test/subscription.activated`, {});
    await vi.waitUntil(() => heard.length > 0, { timeout: 30_000 });
    await ask('GET', '/webhooks/events');
    const summary = await twin.end();

    expect(causesOf(summary)).toEqual([]);
    expect(summary.compared).toBe(3);
    expect(heard).toEqual(['/hooks']);
  });
});

describe('a twin of a correct service', () => {
  it('finds no difference, although the service gives other identifiers', async () => {
    const service = closedAfterTest(await aService());
    const twin = await aTwin(service.url);
    const statuses: number[] = [];
    await useService(requestsTo(twin.url, KEY, statuses));
    const summary = await twin.end();

    expect(twin.lines).toEqual([]);
    expect(statuses.filter((status) => status >= 300)).toEqual([404]);
    const count = statuses.length;
    expect(summary).toMatchObject({ requests: count, compared: count, operations: 30 });
  });

  it('finds no difference when clients write in parallel in one world', async () => {
    const service = closedAfterTest(await aService());
    const twin = await aTwin(service.url);
    const work = async (name: string) => {
      const ask = requestsTo(twin.url, KEY);
      const { id } = await ask('POST', '/customers', { name, external_id: name });
      for (const amount of [1.5, 2.25, 3]) {
        const given = { transaction_id: randomUUID(), asset: 'USD', reason: 'gift' };
        await ask('POST', `/customers/${id}/wallet/adjustments`, { ...given, amount });
        await ask('GET', `/customers/${id}/wallet`);
        await ask('GET', '/customers');
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => work(`side-${index}`)));
    const { causes, compared } = await twin.end();

    expect(causes).toEqual([]);
    expect(compared).toBeGreaterThan(32);
  });
});

describe('a twin of a service with one spoiled response', () => {
  it.each([
    ['getCustomer', 'drops name', 'getCustomer body.name extra'],
    ['listCustomers', 'nulls items.*.id', 'listCustomers body.items.*.id type'],
    ['getWallet', 'retypes accounts.*.available', 'getWallet body.accounts.*.available type'],
    ['getAsset', 'garbles created_at', 'getAsset body.created_at value'],
    ['listVendors', 'answers 201 for 200', 'listVendors status status'],
  ])('reports one cause: %s %s', async (operation, about, cause) => {
    const service = closedAfterTest(await startSpoiledEmulator());
    service.set(
      shapeMutants().find((one) => one.operation.id === operation && one.about === about),
    );
    const twin = await aTwin(service.baseUrl);
    await useService(requestsTo(twin.url, KEY));
    const summary = await twin.end();

    expect(service.spoiled).toBeGreaterThan(0);
    expect(causesOf(summary)).toEqual([cause]);
  });

  it('reports types, field and assumptions of a difference', async () => {
    const service = closedAfterTest(await startSpoiledEmulator());
    service.set(
      shapeMutants().find(
        ({ operation, about }) =>
          operation.id === 'getWallet' && about === 'nulls accounts.*.available',
      ),
    );
    const twin = await aTwin(service.baseUrl);
    await useService(requestsTo(twin.url, KEY));
    await twin.end();

    expect(twin.lines).toEqual([
      expect.objectContaining({
        kind: 'difference',
        what: 'type',
        operation: 'getWallet',
        upstream: 'null',
        emulator: 'decimal',
        at: 'body.accounts.*.available',
        assumptions: expect.arrayContaining(['A-703']),
      }),
    ]);
  });
});

describe('a twin of a service with other settings', () => {
  const ELSEWHERE = { overdraft: 'deny', unknown_fields: 'warn', payment_link_lifetime: 'PT2H' };

  async function useOtherwise(url: string) {
    const twin = await aTwin(url);
    const ask = requestsTo(twin.url, KEY);
    const { id } = await ask('POST', '/customers', { name: 'Ada' });
    const charge = { transaction_id: randomUUID(), asset: 'USD', amount: 5 };
    await ask('POST', `/customers/${id}/wallet/charges`, charge);
    await ask('POST', '/top-ups', {
      customer_id: id,
      amount: 20,
      currency: 'USD',
      return_url: 'https://shop.example/ok',
      failure_url: 'https://shop.example/no',
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
    expect(summary.leftOut).toEqual({ 'it names an object that the emulator does not have': 1 });
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
    expect(leftOut).toEqual({ 'it names an object from before the twin was started': 1 });
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
    const { causes, leftOut } = await twin.end();

    expect(causes).toEqual([]);
    expect(leftOut).toEqual({ 'it differs, but a write of the same world ran beside it': 2 });
  });
});
