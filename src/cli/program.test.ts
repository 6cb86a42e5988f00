import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { performCommand, runCommand } from '../testing/command.ts';
import { newFolder } from '../testing/files.ts';
import { examplesOf } from './examples.ts';
import { commandsOf, createProgram } from './program.ts';

const commands = commandsOf(createProgram());
const folder = newFolder();

describe('every command', () => {
  it.each(commands.map(({ words, command }) => [words, command] as const))(
    '%s shows examples that use only its own flags',
    (words, command) => {
      const own = examplesOf(words).map((line) => line.split(' -- ')[0] as string);
      const known = command.options.map(({ long }) => long);
      const flags = own.flatMap((line) => line.match(/(?<= )--[a-z-]+/g) ?? []);

      expect(own.filter((line) => !line.startsWith(words))).toEqual([]);
      expect(flags.filter((name) => name !== '--help' && !known.includes(name))).toEqual([]);
    },
  );

  it('has a --json flag, except those that pass on the output of another program', () => {
    const without = commands.filter(
      ({ command }) => !command.options.some(({ long }) => long === '--json'),
    );

    expect(without.map(({ words }) => words)).toEqual([
      'exec',
      'contract',
      'proxy',
      'twin',
      'webhooks',
    ]);
  });
});

describe('options without a command', () => {
  it.each([
    ['--halp', '--help'],
    ['--prot', '--port'],
  ])('names the nearest of the misspelt %s', async (option, nearest) => {
    const errors = `error: unknown option '${option}'\n(Did you mean ${nearest}?)\n`;

    expect(await runCommand([option])).toEqual({ code: 2, out: '', errors });
  });

  it.each(['-V', '--version'])('shows the version for %s', async (option) => {
    expect(await performCommand([option])).toEqual({ code: 0, out: '0.1.0\n', errors: '' });
  });
});

describe('doctor', () => {
  it('shows the source of each setting, and redacts secrets', async () => {
    const file = join(folder, 'settings.yaml');
    writeFileSync(file, 'seed: garden\nadmin_token: hush-hush\n');
    const { code, out } = await performCommand(
      ['doctor', '--config', file, '--port', '0', '--fixture', 'quickstart', '--json'],
      { BILLING_EMULATOR_CLOCK: 'frozen' },
    );
    const { settings, findings } = JSON.parse(out);

    expect(settings).toEqual(
      expect.arrayContaining([
        { name: 'port', value: 0, source: 'flag --port' },
        { name: 'clock', value: 'frozen', source: 'variable BILLING_EMULATOR_CLOCK' },
        { name: 'seed', value: 'garden', source: `file ${file}` },
        { name: 'admin_token', value: 'set', source: `file ${file}` },
        { name: 'keys', value: 'not set', source: 'default' },
      ]),
    );
    expect(findings).toContainEqual({
      name: 'secrets',
      ok: true,
      exit: 0,
      text: 'random at each start',
    });
    expect(out).not.toContain('hush');
    expect([code, findings.filter(({ ok }: { ok: boolean }) => !ok)]).toEqual([0, []]);
  });

  it('reads the admin token from a file of its own', async () => {
    const file = join(folder, 'token');
    writeFileSync(file, 'hush-hush\n');
    const flags = ['doctor', '--port', '0', '--host', '0.0.0.0', '--json', '--admin-token-file'];
    const { code, out } = await performCommand([...flags, file]);
    const missing = await performCommand([...flags, '/nowhere/token']);

    expect(code).toBe(0);
    expect(JSON.parse(out).settings).toContainEqual({
      name: 'admin_token',
      value: 'set',
      source: 'flag --admin-token-file',
    });
    expect(missing).toMatchObject({ code: 3 });
    expect(missing.errors).toContain('--admin-token-file /nowhere/token: ENOENT');
  });

  it('lists all that would prevent a start, with the exit code of start', async () => {
    const { code, out } = await performCommand([
      'doctor',
      '--port',
      '0',
      '--fixture',
      'quickstar',
      '--data',
      '/nowhere/state.json',
    ]);

    expect(out).toMatch(/^wrong {2}data: .*\/nowhere/m);
    expect(out).toMatch(/^wrong {2}fixtures: quickstar: .* Did you mean quickstart\?$/m);
    expect(out).toMatch(/^ok {5}port: any free port$/m);
    expect(code).toBe(4);
    const misspelt = await performCommand(['doctor', '--clock', 'frosen', '--port', 'x']);
    expect(misspelt.out).toMatch(
      /^wrong {2}settings: Setting port: .*\nwrong {2}settings: Setting clock/m,
    );
    expect(misspelt.code).toBe(3);
  });
});
