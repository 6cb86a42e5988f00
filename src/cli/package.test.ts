import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { readSettings, settingsOfVariables } from '../config/settings.ts';
import { newFolder } from '../testing/files.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAX_PACKAGES = 120;

/** `scripts/package.sh` installs the package and uses it, which takes minutes. */
const npm = (...line: readonly string[]): string =>
  execFileSync('npm', line, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const read = (name: string): string => readFileSync(ROOT + name, 'utf8');
const readJson = (name: string) => JSON.parse(read(name));

it('the package installs at most 120 packages, none with an install script', () => {
  const lock: Record<string, { hasInstallScript?: true }> = readJson('package-lock.json').packages;
  const flags = ['--package-lock-only', '--omit=dev', '--workspaces=false', '--all', '--parseable'];
  const installed = npm('ls', ...flags)
    .trim()
    .split('\n')
    .slice(1)
    .map((path) => path.slice(ROOT.length));

  expect(installed).toContain('node_modules/express');
  expect(installed.length).toBeLessThanOrEqual(MAX_PACKAGES);
  expect(installed.filter((path) => lock[path]?.hasInstallScript)).toEqual([]);
  expect(installed.filter((path) => !lock[path])).toEqual([]);
});

it('dist/client.js imports nothing, neither Node modules nor other files', () => {
  const client = read('dist/client.js');

  expect(client).toContain('createClient');
  expect(client).not.toMatch(/node:|\brequire\b|[;}\s](?:from|import)"/);
});

it('npm pack includes all exports and binaries, and no sources', () => {
  const [{ files }] = JSON.parse(npm('pack', '--dry-run', '--json', '--ignore-scripts'));
  const paths: readonly string[] = files.map(({ path }: { path: string }) => path);
  const { bin, exports } = readJson('package.json');
  const exported = Object.values<string | { default: string }>(exports).map((each) =>
    (typeof each === 'string' ? each : each.default).replace('./', ''),
  );

  expect(paths).toEqual(expect.arrayContaining([...Object.values(bin), ...exported]));
  expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/licences.txt']));
  expect(paths.filter((path) => /^src\/|\.test\.|[^d]\.tsx?$/.test(path))).toEqual([
    'spec/verification/verify.ts',
  ]);
});

it('an application that bundles the package is told to leave it out', () => {
  const outfile = join(newFolder(), 'bundle.mjs');
  const contents = `import { startEmulator } from ${JSON.stringify(`${ROOT}dist/index.js`)}; await startEmulator();`;
  const stdin = { contents, resolveDir: '.' };
  buildSync({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' });
  const { stderr } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });

  expect(stderr).toContain(
    "A file of billing-emulator is missing. A bundler must leave the package out: external: ['billing-emulator'].",
  );
});

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');

describe('the Dockerfile', () => {
  it('has a base that is pinned to its patch version', () => {
    expect(dockerfile).toMatch(/^FROM node:\d+\.\d+\.\d+-[a-z]+-slim/m);
  });

  it('sets only variables that are settings', () => {
    const given = [...dockerfile.matchAll(/\b(BILLING_EMULATOR_\w+)=(\S+)/g)];
    const settings = readSettings(
      settingsOfVariables(Object.fromEntries(given.map(([, name, value]) => [name, value]))),
    );

    expect(settings).toMatchObject({
      host: '0.0.0.0',
      allowed_hosts: ['billing', 'billing-emulator', 'emulator', 'host.docker.internal'],
      admin_token: 'none',
      fixture: ['quickstart', '/etc/billing-emulator/init.d'],
    });
  });
});
