import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { performCommand, serveForFile } from '../testing/command.ts';
import { newFolder } from '../testing/files.ts';

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
    ['a wrong key', ['--key', 'nonsense'], {}],
    ['a wrong token', [], { BILLING_EMULATOR_ADMIN_TOKEN: 'guess' }],
  ])('exits 1 and explains %s', async (_, args, env) => {
    const { code, errors } = await run(['requests', '--url', url, ...args], env);

    expect(code).toBe(1);
    expect(errors).toContain('BILLING_EMULATOR_ADMIN_TOKEN');
  });

  it('accepts the token by --token too', async () => {
    const env = { BILLING_EMULATOR_ADMIN_TOKEN: '' };
    const { code } = await run(['requests', '--url', url, '--token', 'open-sesame'], env);

    expect(code).toBe(0);
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
