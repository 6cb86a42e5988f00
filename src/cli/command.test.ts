import { existsSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { performCommand, runCommand, serveForFile, spawnCommand } from '../testing/command.ts';
import { newFolder } from '../testing/files.ts';
import { startServer } from '../testing/server.ts';
import { alignColumns } from './print.ts';

const { url } = await serveForFile({
  admin_token: 'open-sesame',
  sandbox_fixture: 'quickstart',
});

/** Runs a command with the admin token, unless `env` has another. */
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  performCommand(args, { BILLING_EMULATOR_ADMIN_TOKEN: 'open-sesame', ...env });

describe('a command that calls a running emulator', () => {
  it('prints text, or the response unchanged with --json', async () => {
    const words = await run(['requests', '--url', url]);
    const json = await run(['requests', '--json'], { BILLING_EMULATOR_URL: url });

    expect([words.code, words.out]).toEqual([0, 'No requests.\n']);
    expect(JSON.parse(json.out)).toMatchObject({ items: [], total_count: 0 });
  });

  it('prints text that others sent without what a terminal obeys, each row on its own line', async () => {
    const id = '5b2f8a3e-6f0c-4c6e-9a51-0d6a3f8f6c11';
    const event_type = 'x\u001b[2J\u009b31m\r\nno such line';
    const occurred_at = new Date().toISOString();
    const events = [{ id, event_type, occurred_at, data: {} }];
    await fetch(`${url}/events`, {
      method: 'POST',
      headers: { Authorization: 'Bearer key_test_escapes', 'Content-Type': 'application/json' },
      body: JSON.stringify({ customer_external_id: 'acme', events }),
    });

    for (const command of [
      ['call', 'listWarnings'],
      ['explain', id],
      ['call', 'listWarnings', '--json'],
    ]) {
      const { out } = await run([...command, '--url', url, '--key', 'key_test_escapes']);

      expect(out).toContain('x\\u001b[2J\\u009b31m\\');
      expect(out).not.toMatch(/(?!\n)\p{Cc}|^no such line/mu);
    }
  });

  it('rejects a key that no header can contain, without printing it', async () => {
    const { code, errors } = await run(['requests', '--url', url, '--key', 'schlüssel→']);

    expect([code, errors]).toEqual([2, expect.stringContaining('no header can carry')]);
    expect(errors).not.toContain('schlüssel');
  });

  it.each([
    ['a wrong key', ['--key', 'nonsense'], {}, 'A key is key_test_NAME or key_live_NAME'],
    [
      'a wrong token',
      [],
      { BILLING_EMULATOR_ADMIN_TOKEN: 'guess' },
      'BILLING_EMULATOR_ADMIN_TOKEN',
    ],
  ])('exits 1 and explains %s', async (_, args, env, why) => {
    const { code, errors } = await run(['requests', '--url', url, ...args], env);

    expect(code).toBe(1);
    expect(errors).toContain(why);
  });

  it('exits 2 for a URL that is none', async () => {
    expect(await runCommand(['requests', '--url', 'nope'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Expected an http or https URL.'),
    });
  });

  it.each([
    ['below a command with a default', ['clock', 'freze'], 'freeze'],
    ['below one without', ['snapshot', 'sav'], 'save'],
  ])('suggests the nearest command for a misspelt one: %s', async (_, args, nearest) => {
    const { code, errors } = await run([...args, '--url', url]);

    expect([code, errors]).toEqual([2, expect.stringContaining(`Did you mean ${nearest}?`)]);
  });

  it.each([
    ['requests', '--limit', '99999999999999999999', 'limit: Expected a number of a smaller magn'],
    ['requests', '--limit', '1001', 'limit: Expected 1000 or less.'],
    ['call waitForRequests', 'count=1e300', '', 'count: Expected 10000 or less.'],
    ['call waitForRequests', 'count=1e999', '', 'count: Expected a whole number'],
  ])('reports a number that is too large: %s %s %s', async (words, flag, value, message) => {
    const { code, errors } = await run(
      [...words.split(' '), flag, value, '--url', url].filter(Boolean),
    );

    expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
  });

  it('lists the first 20 errors of a rejected request and counts the rest', async () => {
    const folder = newFolder();
    const file = join(folder, 'rules.json');
    writeFileSync(file, JSON.stringify({ rules: Array.from({ length: 30 }, () => ({})) }));
    const { code, errors } = await run(['call', 'setFaults', '--body', file, '--url', url]);

    expect(code).toBe(1);
    expect(errors.trimEnd().split('\n')).toHaveLength(22);
    expect(errors).toContain('\n  and 10 more.\n');
  });
});

it.each([
  ['in a command', 'process.stdout.write = () => { throw new TypeError("A defect.") }'],
  [
    'beside it',
    'process.stdout.write = () => setImmediate(() => { throw new TypeError("A defect.") })',
  ],
])('a defect %s is printed with its stack, without a line of the program', (_, defect) => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(defect)}`;
  const env = { ...process.env, NODE_OPTIONS };
  const { status, stderr } = spawnCommand(['doctor', '--port', '0'], { env });

  expect([status, stderr]).toEqual([1, expect.stringMatching(/^TypeError: A defect\.\n {4}at /)]);
});

it('aligns columns, but not by a text that is very long', () => {
  const long = `/customers?external_id=${'a'.repeat(9_000)}`;
  const lines = alignColumns([
    ['GET', long, 'listCustomers'],
    ['DELETE', '/products', 'deleteProduct'],
  ]).split('\n');

  expect(lines[0]).toBe(`GET     ${long}  listCustomers`);
  expect(lines[1]).toBe(`DELETE  /products${' '.repeat(51)}  deleteProduct`);
});

const folder = newFolder();
const nowhere = join(folder, 'no-such-folder', 'file');
const belowFile = join('/dev/null', 'report.xml');
const breaking = await startServer((_request, response) => {
  response.writeHead(200, { 'Content-Length': 100 });
  response.write('{', () => response.destroy());
});
afterAll(() => breaking.close());

describe('a command', () => {
  it.each([
    ['export', nowhere, () => ['export', nowhere, '--url', url, '--token', 'open-sesame']],
    ['run', '/dev/null', () => ['run', 'quickstart', '--junit', belowFile]],
    [
      'webhooks check',
      '/dev/null',
      () => ['webhooks', 'check', `${url}/x`, '--secret', 's', '--junit', belowFile],
    ],
  ])('names what it cannot write in one line: %s', async (_, place, words) => {
    const { code, errors } = await runCommand(words());

    expect([code, errors]).toEqual([1, expect.stringMatching(`^E[A-Z]+: .*'${place}'\n$`)]);
  });

  it.skipIf(!existsSync('/dev/full'))('fails if the disk has no room for its output', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnCommand(['doctor', '--port', '0'], {
      stdio: ['ignore', full, 'pipe'],
    });

    expect([status, stderr]).toEqual([1, 'ENOSPC: no space left on device, write\n']);
  });

  it('releases its data file if it cannot write the ready file', async () => {
    const data = join(folder, 'state.json');
    const { code, errors } = await runCommand([
      'start',
      '--port',
      '0',
      '--data',
      data,
      '--ready-file',
      nowhere,
    ]);

    expect([code, errors.trimEnd(), readdirSync(folder)]).toEqual([
      1,
      `ENOENT: no such file or directory, open '${nowhere}'`,
      ['state.json'],
    ]);
  });

  it('reports a response that ended early', async () => {
    const { code, errors } = await runCommand(['export', '--url', breaking.url]);

    expect([code, errors]).toEqual([
      6,
      `${breaking.url}/_emulator/export broke off within its response (terminated).\n`,
    ]);
  });

  it.each([
    [5, ['--host', '192.0.2.1'], 'listen EADDRNOTAVAIL: address not available 192.0.2.1'],
    [
      3,
      ['--keys', 'key_test_other'],
      'Expected keys to contain key_test_emulator, which the command receives.',
    ],
  ])(
    'exits with %i if exec cannot start an emulator for its command',
    async (wanted, flags, message) => {
      const { code, errors } = await runCommand(['exec', ...flags, '--', 'true']);

      expect([code, errors.trimEnd()]).toEqual([wanted, message]);
    },
  );
});
