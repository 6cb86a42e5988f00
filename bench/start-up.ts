import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROUNDS = 9;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const BARE =
  "require('node:http').createServer((_, response) => response.end('[]')).listen(process.argv[1])";

/** Milliseconds from starting a process to its first answer, of a bare server and of the emulator, in turns. */
export async function measureStart(): Promise<{
  readonly bare: number;
  readonly emulator: number;
}> {
  const bare: number[] = [];
  const emulator: number[] = [];
  // Files that were just built come from the disk once.
  await timeFirstAnswer(['bin/billing-emulator.js', '--port', '24899'], 24_899);
  for (let round = 0; round < ROUNDS; round += 1) {
    const port = 24_900 + 2 * round;
    bare.push(await timeFirstAnswer(['-e', BARE, String(port)], port));
    const line = ['bin/billing-emulator.js', '--port', String(port + 1)];
    emulator.push(await timeFirstAnswer(line, port + 1));
  }
  return { bare: median(bare), emulator: median(emulator) };
}

async function timeFirstAnswer(line: readonly string[], port: number): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, line, { cwd: ROOT, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/customers`;
  while (!(await isAnswered(url))) await new Promise((resolve) => setTimeout(resolve, 1));
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
