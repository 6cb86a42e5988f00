import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { shapeMutants } from '../kit/selftest/shape-mutants.ts';
import { startSpoiledEmulator } from '../kit/selftest/spoiled-emulator.ts';
import { startCli } from '../kit/testing/cli.ts';
import {
  aClientUuid,
  anUpstream,
  aService,
  asking,
  aTwin,
  useService,
} from '../kit/testing/twin.ts';
import { findProfile } from './profile.ts';
import type { TwinSummary } from './report.ts';

const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

async function opened<T extends { close(): unknown }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  closing.push(() => started.close());
  return started;
}

const KEY = 'key_test_of-the-twin';
const causesOf = ({ causes }: TwinSummary) => causes.map(({ cause }) => cause);

describe('what the client sees', () => {
  it('is the answer of the service, byte for byte, and each write reaches it once', async () => {
    const packed = gzipSync('{"id":"cust_upstream1"}');
    const binary = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256));
    const writes: string[] = [];
    const { url } = await opened(
      anUpstream((asked, response) => {
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
    const twin = await aTwin(url);
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

  it('is heard by receivers once: the emulator sends nothing', async () => {
    const heard: string[] = [];
    const receiver = await opened(
      anUpstream((asked, response) => {
        heard.push(asked.url as string);
        asked.resume();
        response.writeHead(204).end();
      }),
    );
    const service = await opened(aService());
    const twin = await aTwin(service.url);
    const ask = asking(twin.url, KEY);
    const { id } = await ask('POST', '/webhooks', { url: `${receiver.url}/hooks` });
    await ask('POST', `/webhooks/${id}/test/subscription.activated`, {});
    await vi.waitUntil(() => heard.length > 0, { timeout: 30_000 });
    await ask('GET', '/webhooks/events');
    const summary = await twin.end();

    expect(causesOf(summary)).toEqual([]);
    expect(summary.compared).toBe(3);
    expect(heard).toEqual(['/hooks']);
  });
});

describe('before a sound emulator', () => {
  it('finds no difference, whatever identifiers the service gives', async () => {
    const service = await opened(aService());
    const twin = await aTwin(service.url);
    const statuses: number[] = [];
    await useService(asking(twin.url, KEY, statuses));
    const summary = await twin.end();

    expect(twin.lines).toEqual([]);
    expect(statuses.filter((status) => status >= 300)).toEqual([404]);
    expect(summary).toMatchObject({ requests: statuses.length, compared: statuses.length });
    expect(summary.coverage.operations.touched).toBe(30);
    expect(summary.coverage.cells).toMatchObject({
      'createCustomer 201': 3,
    });
  });

  it('finds none where clients work side by side in one world', async () => {
    const service = await opened(aService());
    const twin = await aTwin(service.url);
    const work = async (name: string) => {
      const ask = asking(twin.url, KEY);
      const { id } = await ask('POST', '/customers', { name, external_id: name });
      for (const amount of [1.5, 2.25, 3]) {
        const given = { transaction_id: aClientUuid(), asset: 'USD', reason: 'gift' };
        await ask('POST', `/customers/${id}/wallet/adjustments`, { ...given, amount });
        await ask('GET', `/customers/${id}/wallet`);
        await ask('GET', '/customers');
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => work(`side-${index}`)));
    const summary = await twin.end();

    expect(twin.lines).toEqual([]);
    expect(summary.compared).toBe(80);
  });
});

describe('before an emulator with one thing wrong', () => {
  it.each([
    ['getCustomer', 'drops name', 'getCustomer body.name extra'],
    ['listCustomers', 'nulls items.*.id', 'listCustomers body.items.*.id type'],
    ['getWallet', 'retypes accounts.*.available', 'getWallet body.accounts.*.available type'],
    ['getAsset', 'garbles created_at', 'getAsset body.created_at value'],
    ['listVendors', 'answers 201 for 200', 'listVendors status status'],
  ])('names one cause: %s %s', async (operation, about, cause) => {
    const service = await opened(startSpoiledEmulator());
    service.set(
      shapeMutants().find((one) => one.operation.id === operation && one.about === about),
    );
    const twin = await aTwin(service.baseUrl);
    await useService(asking(twin.url, KEY));
    const summary = await twin.end();

    expect(service.spoiled).toBeGreaterThan(0);
    expect(causesOf(summary)).toEqual([cause]);
  });

  it('says what a difference touches', async () => {
    const service = await opened(startSpoiledEmulator());
    service.set(
      shapeMutants().find(
        ({ operation, about }) =>
          operation.id === 'getWallet' && about === 'nulls accounts.*.available',
      ),
    );
    const twin = await aTwin(service.baseUrl);
    await useService(asking(twin.url, KEY));
    await twin.end();

    expect(twin.lines).toEqual([
      expect.objectContaining({
        ...{ kind: 'difference', what: 'type', operation: 'getWallet', upstream: 'null' },
        ...{
          emulator: 'decimal',
          at: 'body.accounts.*.available',
          assumptions: expect.arrayContaining(['A-703']),
        },
        requirements: expect.arrayContaining([expect.stringMatching(/^R-WAL-/)]),
      }),
    ]);
  });
});

describe('before a service that was set otherwise', () => {
  const ELSEWHERE = { overdraft: 'deny', unknown_fields: 'warn', top_up_link_lifetime: 'PT2H' };

  async function useOtherwise(url: string) {
    const twin = await aTwin(url);
    const ask = asking(twin.url, KEY);
    const { id } = await ask('POST', '/customers', { name: 'Ada' });
    const charge = { transaction_id: aClientUuid(), asset: 'USD', amount: 5 };
    await ask('POST', `/customers/${id}/wallet/charges`, charge);
    await ask('POST', '/top-ups', {
      ...{ customer_id: id, amount: 20, currency: 'USD' },
      ...{ return_url: 'https://shop.example/ok', failure_url: 'https://shop.example/no' },
    });
    const other = await ask('POST', '/customers', { name: 'Bob', odd: 1 });
    await ask('GET', `/customers/${other.id}`);
    await ask('GET', '/customers');
    return { twin, summary: await twin.end() };
  }

  it('tells what follows from a difference apart from its cause', async () => {
    const service = await opened(aService(ELSEWHERE));
    const { summary } = await useOtherwise(service.url);

    expect(summary.causes.map(({ cause, count, followers }) => [cause, count, followers])).toEqual([
      ['chargeWallet status status', 1, 0],
      ['createTopUp body.expires_at time', 1, 0],
      ['createCustomer status status', 1, 2],
    ]);
    expect(summary.leftOut).toEqual({ 'it names what the emulator has nothing for': 1 });
  });

  it('finds the settings that explain it', async () => {
    const service = await opened(aService(ELSEWHERE));
    const { twin, summary } = await useOtherwise(service.url);

    expect(await findProfile(twin.recorded, summary)).toEqual({ settings: ELSEWHERE, left: [] });
  });
});

describe('billing-emulator twin', { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'twin-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);

  async function runTwin(
    upstream: string,
    flags: readonly string[],
    use: (url: string) => unknown,
  ) {
    const { child, printed, ended } = startCli([
      'twin',
      '--upstream',
      upstream,
      '--port',
      '0',
      ...flags,
    ]);
    const linesOf = () =>
      printed.out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    const [{ url }] = await vi.waitUntil(() => (linesOf().length > 0 ? linesOf() : undefined), {
      timeout: 60_000,
    });
    await use(url);
    child.kill('SIGTERM');
    return { code: await ended, lines: linesOf(), all: printed.all };
  }

  it('ends with 11, and keeps keys and names of customers out of all that it writes', async () => {
    const service = await opened(aService({ unknown_fields: 'warn' }));
    const out = ['--out', file('out.jsonl'), '--html', file('page.html')];
    const flags = [...out, '--emit-profile', file('settings.yaml')];
    const { code, lines, all } = await runTwin(service.url, flags, async (url) => {
      const ask = asking(url, 'key_test_canary-key');
      const odd = { name: 'Canary Name', 'canary-field': 'canary-value' };
      const { id } = await ask('POST', '/customers', { ...odd, email: 'canary@mail.example' });
      await ask('GET', `/customers/${id}`);
      await ask('GET', '/customers?external_id=canary-external');
      await ask('GET', '/canary/path');
      await ask('PATCH', `/customers/${id}`, { name: 'Canary Other', 'canary-field': 1 });
    });
    const written = ['out.jsonl', 'page.html', 'settings.yaml'].map((name) =>
      readFileSync(file(name), 'utf8'),
    );

    expect([code, all]).toEqual([11, expect.stringContaining('"verdict"')]);
    expect([all, ...written].filter((text) => /canary/i.test(text))).toEqual([]);
    expect(lines.find(({ kind }) => kind === 'cause')).toMatchObject({
      ...{ what: 'status', operation: 'createCustomer', upstream: '201', emulator: '422' },
      assumptions: expect.arrayContaining(['A-203']),
    });
    expect(parse(written[2] as string)).toEqual({ unknown_fields: 'warn' });
    expect(written[1]).toContain('other status');
  });

  it('ends with 12 where nothing was compared, and with 6 where the service does not answer', async () => {
    const service = await aService();
    const silent = await runTwin(service.url, [], () => {});
    await service.close();
    const gone = await runTwin(service.url, [], (url) => fetch(`${url}/customers`));

    expect([silent.code, gone.code]).toEqual([12, 6]);
    expect(gone.lines.find(({ kind }) => kind === 'lost')).toMatchObject({ method: 'GET' });
  });
});
