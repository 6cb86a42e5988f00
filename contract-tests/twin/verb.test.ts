import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { startCli } from '../kit/testing/cli.ts';
import { aService, requestsTo } from '../kit/testing/twin.ts';

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
    const service = await aService({ unknown_fields: 'warn' });
    const out = ['--out', file('out.jsonl'), '--html', file('page.html')];
    const flags = [...out, '--emit-profile', file('settings.yaml')];
    const { code, lines, all } = await runTwin(service.url, flags, async (url) => {
      const ask = requestsTo(url, 'key_test_canary-key');
      const odd = { name: 'Canary Name', 'canary-field': 'canary-value' };
      const { id } = await ask('POST', '/customers', { ...odd, email: 'canary@mail.example' });
      await ask('GET', `/customers/${id}`);
      await ask('GET', '/customers?external_id=canary-external');
      await ask('GET', '/canary/path');
      await ask('PATCH', `/customers/${id}`, { name: 'Canary Other', 'canary-field': 1 });
    });
    await service.close();
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
