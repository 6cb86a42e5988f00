import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from 'billing-emulator';
import { describe, expect, it } from 'vitest';
import { runCli, startCli } from '../testing/cli.ts';
import {
  type Answering,
  aFakeTarget,
  answerJson,
  closedAfterTest,
  type FakeTarget,
} from '../testing/server.ts';
import { openCreatedObjects } from './created-objects.ts';
import { targetOf } from './plan.ts';
import { cleanUp, effectsOf } from './run/clean.ts';

async function aPlan(
  answer: Answering,
): Promise<{ readonly target: FakeTarget; readonly plan: Parameters<typeof cleanUp>[0] }> {
  const target = closedAfterTest(await aFakeTarget(answer));
  const { baseUrl } = target;
  const known = { environment: 'test', accountId: 'acc_1' } as const;
  const asked = targetOf({ kind: 'external', baseUrl, key: 'key_x', ...known });
  return { target, plan: { timeoutMs: 1_000, target: asked } };
}

const aFile = () => join(mkdtempSync(join(tmpdir(), 'contract-')), 'created.jsonl');

describe('openCreatedObjects', () => {
  it('has an announced object on disk before its request is sent', () => {
    const file = aFile();
    const created = openCreatedObjects(file);
    created.announce('createWebhook', 'url=https://a.invalid/contract-1');

    expect(readFileSync(file, 'utf8')).toContain('contract-1');
    expect(openCreatedObjects(file).entries()).toEqual(created.entries());
  });

  it('reads a file whose last line was cut off when the run was killed', () => {
    const file = aFile();
    openCreatedObjects(file).announce('createWebhook', 'url=a');
    appendFileSync(file, '{"number": 2, "opera');

    expect(openCreatedObjects(file).entries()).toHaveLength(1);
  });
});

describe('cleanUp', () => {
  it('removes remaining objects, and finds those without a recorded id by their URL', async () => {
    const { target, plan } = await aPlan((request, response) =>
      request.method === 'GET'
        ? answerJson(response, { items: [{ id: 'dst_2', url: 'https://b.invalid' }] })
        : void response.writeHead(204).end(),
    );
    const created = openCreatedObjects(aFile());
    created.settle(created.announce('createWebhook', 'url=https://a.invalid'), 201, 'dst_1');
    created.announce('createWebhook', 'url=https://b.invalid');
    created.settle(created.announce('createWebhook', 'url=https://c.invalid'), 422, undefined);
    created.settle(created.announce('createProduct', 'code=contract-x'), 201, 'prp_1');
    created.settle(created.announce('createProduct', 'code=contract-usage'), 201, 'prp_2');

    expect(await cleanUp(plan, created)).toEqual([]);
    expect(target.writes).toEqual([
      'DELETE /webhooks/dst_1',
      'DELETE /webhooks/dst_2',
      'DELETE /products/prp_1',
    ]);
    expect(await cleanUp(plan, created)).toEqual([]);
    expect(target.writes).toHaveLength(3);
  });

  it('marks an object as removed when reading it returns 404, even if its removal failed', async () => {
    const { plan } = await aPlan((request, response) =>
      answerJson(response, {}, request.method === 'GET' ? 404 : 422),
    );
    const created = openCreatedObjects(aFile());
    created.settle(created.announce('createWebhook', 'url=https://a.invalid'), 201, 'dst_1');

    expect(await cleanUp(plan, created)).toEqual([]);
    expect(created.entries()[0]?.removed).toBe(true);
  });

  it('returns the objects that it could not remove, with operation and status', async () => {
    const { plan } = await aPlan((_, response) => answerJson(response, {}, 500));
    const created = openCreatedObjects(aFile());
    created.settle(created.announce('createWebhook', 'url=https://a.invalid'), 201, 'dst_1');

    expect(await cleanUp(plan, created)).toEqual(['createWebhook dst_1: deleteWebhook 500']);
  });
});

describe('effectsOf', () => {
  it('counts requests, successful writes, removed objects and permanent objects', () => {
    const created = openCreatedObjects(aFile());
    created.settle(created.announce('createCustomer', ''), 201, 'cust_1');
    created.settle(created.announce('createCustomer', ''), 422, undefined);
    created.settle(created.announce('createWebhook', ''), 201, 'dst_1');
    created.remove('dst_1');

    expect(effectsOf(created.entries(), 3, [])).toEqual({
      requests: 3,
      writes: { createCustomer: 1, createWebhook: 1 },
      removed: 1,
      permanent: { createCustomer: 1 },
      leftovers: [],
    });
  });
});

const KEY = 'key_test_killed';
const headers = { Authorization: `Bearer ${KEY}` };

interface Item {
  readonly id: string;
  readonly code?: string;
}

interface Version {
  readonly status: string;
}

/** An emulator that calls `before` with method and path of each request before it handles the request. */
async function aTarget(before: (request: string) => Promise<void>) {
  const { url: baseUrl, close } = await startEmulator({
    settings: { fixture: '', log_level: 'silent' },
    around: (handle) => (request, response) => {
      void before(`${request.method} ${request.url}`).then(() => handle(request, response));
    },
  });
  const read = async <T>(path: string): Promise<T> =>
    (await fetch(`${baseUrl}${path}`, { headers })).json() as Promise<T>;
  const list = async (path: string) => (await read<{ items: readonly Item[] }>(path)).items;
  return {
    baseUrl,
    list,
    /** Products that a customer could still be subscribed to. */
    async usableProducts(): Promise<readonly Item[]> {
      const products = await list('/products?limit=100');
      const versions = await Promise.all(
        products.map(({ id }) => read<{ versions: readonly Version[] }>(`/products/${id}`)),
      );
      return products.filter((_, place) =>
        versions[place]?.versions.some(({ status }) => status !== 'archived'),
      );
    },
    close,
  };
}

describe.concurrent('a contract run that is killed', { timeout: 120_000 }, () => {
  it.each(['/webhooks', '/products'])(
    'within POST %s, while others exist, leaves only objects that clean can remove',
    async (path) => {
      const state = mkdtempSync(join(tmpdir(), 'contract-'));
      let isKilled = false;
      const target = await aTarget(async (request) => {
        if (isKilled || request !== `POST ${path}` || (await target.list(path)).length === 0)
          return;
        isKilled = true;
        // The emulator still handles the write, but the killed run cannot read the response.
        child.kill('SIGKILL');
        await ended;
      });
      const flags = ['--base-url', target.baseUrl, '--key-env', 'A_KEY', '--state', state];
      const selection = ['--only', 'WHK-*,PRD-*', '--effects', 'E4'];
      const { child, ended } = startCli(['contract', ...flags, ...selection], { A_KEY: KEY });
      await ended;
      const left = [
        ...(await target.list('/webhooks')),
        ...(await target.list('/products?limit=100')),
      ].length;
      const cleaned = await runCli(['clean', ...flags], { A_KEY: KEY });
      const usable = await target.usableProducts();
      const webhooks = await target.list('/webhooks');
      await target.close();

      expect(isKilled).toBe(true);
      expect(left).toBeGreaterThan(0);
      expect(cleaned.code, cleaned.output).toBe(0);
      expect(webhooks).toEqual([]);
      expect(usable.filter(({ code }) => !SLOTS.has(code))).toEqual([]);
    },
  );
});

/** Codes of products that stay for later runs. Other products that had a customer are archived, not removed. */
const SLOTS: ReadonlySet<string | undefined> = new Set(['contract-usage', 'contract-fixed']);
