import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from 'billing-emulator';
import { describe, expect, it } from 'vitest';
import { runCli, startCli } from '../testing/cli.ts';

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

describe.concurrent('a contract run that is killed', () => {
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
      expect(usable).toEqual([]);
    },
  );
});
