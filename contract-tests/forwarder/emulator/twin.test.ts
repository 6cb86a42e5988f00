import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { onLoopback } from '../../kit/loopback.ts';
import { shapeMutants } from '../../selftest/shape-mutants.ts';
import { startSpoiledEmulator } from '../../selftest/spoiled-emulator.ts';
import { closedAfterTest } from '../../testing/server.ts';
import { aService, aTwin, requestsTo, useService } from '../../testing/twin.ts';
import type { TwinSummary } from './report/report.ts';

const KEY = 'key_test_of-the-twin';
const causesOf = ({ causes }: TwinSummary) => causes.map(({ cause }) => cause);

describe('a client of the twin', () => {
  it('gets the response of the service byte for byte, and each write is sent once', async () => {
    const packed = gzipSync('{"id":"cust_upstream1"}');
    const binary = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256));
    const writes: string[] = [];
    const { baseUrl } = closedAfterTest(
      await onLoopback((asked, response) => {
        const pairs = ['X-Odd', 'a', 'x-odd', 'b', 'Content-Type', 'application/json; odd'];
        if (asked.method === 'POST') writes.push(asked.url as string);
        asked.resume();
        if (asked.method === 'POST')
          response
            .writeHead(201, 'Made Indeed', [...pairs, 'Content-Encoding', 'gzip'])
            .end(packed);
        else response.writeHead(299, 'Bytes', pairs).end(binary);
      }),
    );
    const twin = await aTwin(baseUrl);
    const take = (method: string, path: string) =>
      new Promise<{ head: readonly string[]; bytes: Buffer; reason: string }>((resolve) => {
        request(`${twin.url}${path}`, { method }, async (answer) => {
          const chunks: Buffer[] = [];
          for await (const chunk of answer) chunks.push(chunk as Buffer);
          const { statusCode, statusMessage, rawHeaders } = answer;
          const reason = `${statusCode} ${statusMessage}`;
          resolve({ reason, head: rawHeaders.slice(0, 6), bytes: Buffer.concat(chunks) });
        }).end();
      });
    const made = await take('POST', '/customers');
    const read = await take('GET', '/customers');
    const { differences } = await twin.end();

    const head = ['X-Odd', 'a', 'x-odd', 'b', 'Content-Type', 'application/json; odd'];
    expect([made.reason, made.head, made.bytes.equals(packed)]).toEqual([
      '201 Made Indeed',
      head,
      true,
    ]);
    expect([read.reason, read.head, read.bytes.equals(binary)]).toEqual(['299 Bytes', head, true]);
    expect(writes).toEqual(['/customers']);
    expect(differences).toBe(2);
  });

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
    expect(summary).toMatchObject({ requests: statuses.length, compared: statuses.length });
    expect(summary.coverage.operations.touched).toBe(30);
    expect(summary.coverage.cells).toMatchObject({
      'createCustomer 201': 3,
    });
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
    const { causes, contended, compared } = await twin.end();

    expect([causes, contended]).toEqual([[], 0]);
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
        ...{ kind: 'difference', what: 'type', operation: 'getWallet', upstream: 'null' },
        ...{
          emulator: 'decimal',
          at: 'body.accounts.*.available',
          assumptions: expect.arrayContaining(['A-703']),
        },
      }),
    ]);
  });
});
