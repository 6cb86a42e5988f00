import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { whyNotReady } from './cli/running/ready.ts';
import { newFolder } from './testing/files.ts';
import { yaml } from './text/yaml.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Runs a script of an action as a runner does. Returns its output, and the values it has set by file. */
function runScript(script: string, env: Readonly<Record<string, string>>, cwd = ROOT) {
  const folder = newFolder();
  const files = ['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY'] as const;
  const paths = Object.fromEntries(files.map((name) => [name, join(folder, name)]));
  for (const path of Object.values(paths)) writeFileSync(path, '');
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, script)], {
    cwd,
    encoding: 'utf8',
    timeout: 90_000,
    // As if not started by npx, with which an emulator ends.
    env: { ...process.env, npm_command: '', RUNNER_TEMP: folder, ...paths, ...env },
  });
  const set = (name: (typeof files)[number]) => readFileSync(paths[name] as string, 'utf8');
  const valuesOf = (name: (typeof files)[number]) =>
    Object.fromEntries(
      set(name)
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s)),
    );
  return { status, stdout, valuesOf, summary: set('GITHUB_STEP_SUMMARY') };
}

describe('the action', () => {
  it('starts an emulator with the settings in variables, exports it, and stops it', async () => {
    const env = { BILLING_EMULATOR_PORT: '0', BILLING_EMULATOR_FIXTURE: '' };
    const started = runScript('action/start.js', env);
    const outputs = started.valuesOf('GITHUB_OUTPUT');
    const file = started.valuesOf('GITHUB_STATE')['ready-file'] as string;
    const wasReady = await whyNotReady(`${outputs['url']}/readyz`);
    const stopped = runScript('action/stop.js', { 'STATE_ready-file': file });

    expect(started.status).toBe(0);
    expect(outputs).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      key: 'key_test_emulator',
    });
    expect(started.valuesOf('GITHUB_ENV')).toEqual({
      BILLING_EMULATOR_URL: outputs['url'],
      BILLING_EMULATOR_KEY: 'key_test_emulator',
    });
    expect(wasReady).toBeUndefined();
    expect(stopped.stdout).toContain(`Stopped ${outputs['url']}.`);
    expect(await whyNotReady(`${outputs['url']}/readyz`)).toBeDefined();
  });

  it('says why an emulator does not start, or that it is not installed', () => {
    const broken = runScript('action/start.js', { BILLING_EMULATOR_CLOCK: 'stopped' });
    const missing = runScript('action/start.js', {}, newFolder());

    expect([broken.status, missing.status]).toEqual([1, 1]);
    expect(broken.stdout).toMatch(/^::error title=Billing emulator::It ended\.%0A.*Setting clock/);
    expect(missing.stdout).toContain('billing-emulator is not installed');
    expect(runScript('action/stop.js', {}).status).toBe(0);
  });
});

describe('the contract action', () => {
  it('runs the suite, sums it up, and ends with its exit code', () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'package.json'), '{"private": true}');
    spawnSync('ln', ['-s', join(ROOT, 'node_modules'), join(cwd, 'node_modules')]);
    const ran = runScript('action/contract/run.js', { INPUT_FLAGS: '--only vendors' }, cwd);

    expect(ran.status).toBe(0);
    expect(ran.valuesOf('GITHUB_OUTPUT')).toEqual({ 'exit-code': '0' });
    expect(ran.summary).toMatch(/^## Billing contract: partial: \d+ of \d+ MUST requirements met/);
    expect(existsSync(join(cwd, 'reports/billing-contract/contract.html'))).toBe(true);
    expect(ran.stdout).not.toContain('::error');
  });

  it('annotates what failed', () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'package.json'), '{"private": true}');
    spawnSync('ln', ['-s', join(ROOT, 'node_modules'), join(cwd, 'node_modules')]);
    const flags = '--only vendors --base-url http://127.0.0.1:9 --key-env NONE';
    const ran = runScript('action/contract/run.js', { INPUT_FLAGS: flags }, cwd);

    expect(ran.status).not.toBe(0);
    expect(ran.stdout).toContain('::error title=');
  });
});

interface Step {
  readonly uses?: string;
}

it('the workflows and actions name files that exist, and other actions by a version', () => {
  const workflows = readdirSync(join(ROOT, '.github/workflows')).map(
    (name) => `.github/workflows/${name}`,
  );
  const steps = ['action.yml', 'action/contract/action.yml', ...workflows].flatMap((file) => {
    const { runs, jobs } = yaml().parse(readFileSync(join(ROOT, file), 'utf8'));
    for (const script of [runs?.main, runs?.post].filter(Boolean))
      expect(existsSync(join(ROOT, script))).toBe(true);
    const lists = [runs, ...Object.values(jobs ?? {})] as { steps?: readonly Step[] }[];
    return lists.flatMap((each) => each?.steps ?? []);
  });
  const used = steps.flatMap(({ uses }) => uses ?? []);

  expect(used.length).toBeGreaterThan(5);
  for (const name of used) expect(name).toMatch(/^\.\/|^[\w-]+\/[\w/-]+@v\d/);
});
