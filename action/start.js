import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fail, installedCommand } from './installed.js';

/** Starts an emulator and waits until it is ready. What it wrote is shown if it is not. */
async function start() {
  const { RUNNER_TEMP, GITHUB_ENV, GITHUB_OUTPUT, GITHUB_STATE, INPUT_WAIT = '60' } = process.env;
  const file = join(RUNNER_TEMP, `billing-emulator-${process.pid}.json`);
  const log = `${file}.log`;
  appendFileSync(GITHUB_STATE, `ready-file=${file}\n`);
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, [installedCommand(), 'start', '--ready-file', file], {
    ...{ detached: true, stdio: ['ignore', output, output] },
  });
  child.unref();
  const until = performance.now() + Number(INPUT_WAIT) * 1_000;
  while (!isWritten(file)) {
    if (child.exitCode !== null) return fail(`It ended.\n${readFileSync(log, 'utf8')}`);
    if (performance.now() > until)
      return fail(`It is not ready after ${INPUT_WAIT} s.\n${readFileSync(log, 'utf8')}`);
    await pause(100);
  }
  const { url, https_url, keys } = JSON.parse(readFileSync(file, 'utf8'));
  const told = Object.entries({ url, 'https-url': https_url, key: keys.test }).filter(
    ([, value]) => value !== undefined,
  );
  for (const [name, value] of told) {
    appendFileSync(GITHUB_OUTPUT, `${name}=${value}\n`);
    const variable = `BILLING_EMULATOR_${name.toUpperCase().replace('-', '_')}`;
    appendFileSync(GITHUB_ENV, `${variable}=${value}\n`);
  }
  console.log(`Billing emulator at ${url}`);
}

const isWritten = (file) => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n');

await start().catch(({ message }) => fail(message));
