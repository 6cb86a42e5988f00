import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';

/** Kills the emulator under load; `KILL_ROUNDS=50` makes it a soak. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 3);
const BINARY = fileURLToPath(new URL('../../bin/billing-emulator.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'kill-'));
afterAll(() => rmSync(folder, { recursive: true }));

const data = join(folder, 'data.json');
const headers = { Authorization: 'Bearer key_test_emulator', 'Content-Type': 'application/json' };

async function start(round: number) {
  const file = join(folder, `ready-${round}.json`);
  const flags = ['--port', '0', '--ready-file', file, '--data', data, '--data-mode', 'on-commit'];
  const child = spawn(process.execPath, [BINARY, ...flags], { stdio: 'ignore' });
  const url = await vi.waitUntil(
    () => {
      try {
        return (JSON.parse(readFileSync(file, 'utf8')) as { url: string }).url;
      } catch {
        return undefined;
      }
    },
    { timeout: 30_000 },
  );
  return { child, url };
}

describe('kill -9 under load, in mode on-commit', () => {
  it(
    'loses no write that was acknowledged, and breaks no law of the ledger',
    async () => {
      const acknowledged: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const { child, url } = await start(round);
        const end = once(child, 'exit');
        let isKilled = false;
        const writer = async (lane: number) => {
          for (let count = 0; !isKilled; count += 1) {
            const external_id = `r${round}-l${lane}-${count}`;
            const body = JSON.stringify({ name: 'Vendor', external_id });
            const sent = fetch(`${url}/vendors`, { method: 'POST', headers, body });
            const answer = await sent.catch(() => undefined);
            if (answer?.status === 201) acknowledged.push(external_id);
          }
        };
        const load = Promise.all([0, 1, 2, 3].map(writer));
        await vi.waitUntil(() => acknowledged.length > round * 20 + 20, { timeout: 30_000 });
        isKilled = true;
        child.kill('SIGKILL');
        await Promise.all([end, load]);
      }

      const { child, url } = await start(ROUNDS);
      const missing: string[] = [];
      for (const external_id of acknowledged) {
        const answer = await fetch(`${url}/vendors?external_id=${external_id}`, { headers });
        if (((await answer.json()) as { total_count: number }).total_count !== 1)
          missing.push(external_id);
      }
      const verdict = await fetch(`${url}/_emulator/ledger/verify`, { method: 'POST', headers });
      const { findings } = (await verdict.json()) as { findings: unknown[] };
      child.kill('SIGTERM');
      await once(child, 'exit');

      expect(acknowledged.length).toBeGreaterThan(20);
      expect(missing).toEqual([]);
      expect(findings).toEqual([]);
    },
    20_000 + ROUNDS * 20_000,
  );
});
