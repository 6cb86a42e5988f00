import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/**
 * Runs the commands of the README as they stand there, against an emulator on a free port. A block that
 * cannot be run here says why in a comment before it: `<!-- elsewhere: what runs it -->`.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BINARY = join(ROOT, 'bin/billing-emulator.js');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const BLOCK = /(<!-- elsewhere: [^\n]+ -->\n+)?```sh\n([\s\S]*?)```/g;

const blocks = [...readme.matchAll(BLOCK)].map(([, elsewhere, commands]) => ({
  elsewhere: elsewhere !== undefined,
  commands: commands as string,
}));

interface Ready {
  readonly url: string;
  readonly pid: number;
}

const folder = mkdtempSync(join(tmpdir(), 'readme-'));
let ready: Ready;

beforeAll(async () => {
  const file = join(folder, 'ready.json');
  spawn(process.execPath, [BINARY, '--port', '0', '--ready-file', file], { stdio: 'ignore' });
  ready = await vi.waitUntil(() => readReady(file), { timeout: 20_000 });
}, 30_000);

afterAll(() => {
  process.kill(ready.pid, 'SIGTERM');
  rmSync(folder, { recursive: true });
});

function readReady(file: string): Ready | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Ready;
  } catch {
    return undefined;
  }
}

function run(commands: string): string {
  const script = commands
    .replaceAll('http://127.0.0.1:24100', ready.url)
    .replaceAll('npx billing-emulator', `node ${BINARY}`);
  return execFileSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, BILLING_EMULATOR_URL: ready.url },
  });
}

describe('the README', () => {
  const runnable = blocks.filter(({ elsewhere }) => !elsewhere).map(({ commands }) => commands);

  it('shows commands', () => {
    expect(runnable.length).toBeGreaterThan(2);
  });

  it.each(runnable)('can be followed to the letter: %s', { timeout: 60_000 }, (commands) => {
    expect(() => run(commands)).not.toThrow();
  });

  it('promises the fee and the balance that the emulator answers', () => {
    const [submit, read] = runnable.filter((commands) => commands.includes('/events'));
    run(submit as string);
    const event = JSON.parse(run(read as string)) as {
      fees: { amount: number }[];
      customer_id: string;
    };
    const wallet = run(
      `curl -s http://127.0.0.1:24100/customers/${event.customer_id}/wallet -H 'Authorization: Bearer key_test_emulator'`,
    );

    expect(event.fees.map(({ amount }) => amount)).toEqual([4.17]);
    expect(readme).toContain('= 4.17');
    expect(JSON.parse(wallet).accounts[0].available).toBe(95.83);
    expect(readme).toContain('95.83');
  });
});
