import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROUNDS = 5;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Milliseconds from starting the process to its first answer, beside those of a process that does nothing. */
export async function measureStart(): Promise<{
  readonly node: number;
  readonly emulator: number;
}> {
  const node: number[] = [];
  const emulator: number[] = [];
  // Files that were just built come from the disk once.
  await timeFirstAnswer(24_899);
  for (let round = 0; round < ROUNDS; round += 1) {
    node.push(await timeNothing());
    emulator.push(await timeFirstAnswer(24_900 + round));
  }
  return { node: median(node), emulator: median(emulator) };
}

async function timeNothing(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ['-e', '0']), 'exit');
  return performance.now() - started;
}

async function timeFirstAnswer(port: number): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, ['bin/billing-emulator.js', '--port', String(port)], {
    cwd: ROOT,
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}/customers`;
  while (!(await isAnswered(url))) await new Promise((resolve) => setTimeout(resolve, 5));
  const time = performance.now() - started;
  child.kill();
  await once(child, 'exit');
  return time;
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { headers: { Authorization: 'Bearer key_test_emulator' } });
    return response.ok;
  } catch {
    return false;
  }
}

function median(values: readonly number[]): number {
  return Math.round(
    [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] as number,
  );
}
