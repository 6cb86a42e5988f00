import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const ROOT = new URL('..', import.meta.url);
/** Length of a tick of the kernel's clock, which is the same on every Linux that Node runs on. */
const MICROS_PER_TICK = 10_000;
const CAN_PIN = spawnSync('taskset', ['-c', '0', 'true']).status === 0 && cpus().length > 1;
const [SERVER_CORE, CLIENT_CORE] = ['0', '1'];

/** Pins this process, the client, to its own core, so that the server has the first one. */
export function keepToOwnCore(): void {
  if (CAN_PIN) spawnSync('taskset', ['-acp', CLIENT_CORE, String(process.pid)]);
}

const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
process.on('exit', () => {
  for (const child of running) killGroup(child);
});

/** Starts a server by its command line, on a core that this process does not use. */
export function launch(line: readonly string[]): ChildProcess {
  const [command, ...rest] = CAN_PIN ? ['taskset', '-c', SERVER_CORE, ...line] : line;
  const child = spawn(command as string, rest, {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  return child;
}

export async function stop(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  killGroup(child);
  await gone;
}

/** Kills a process and all processes it started. */
function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid as number), 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

setFlagsFromString('--expose-gc');
export const collectGarbage: () => void = runInNewContext('gc');

/** Runs a file of this folder in a child process. Returns the process and its first message. */
export async function runBeside<T>(
  file: string,
  args: readonly string[],
  nodeFlags: readonly string[] = [],
): Promise<{ readonly child: ChildProcess; readonly told: T }> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, args, { execArgv: [...nodeFlags, '--import', 'tsx'] });
  const [told] = (await once(child, 'message')) as [T];
  return { child, told };
}

/** Whether a server responds at an address. */
export async function isAnswered(url: string, headers: Record<string, string> = {}) {
  try {
    const answer = await fetch(url, { headers });
    await answer.arrayBuffer();
    // The emulator says so while it loads its data.
    return answer.status !== 503;
  } catch {
    return false;
  }
}

/**
 * Returns the processor time of a process and its descendants in microseconds, from `/proc`.
 *
 * @throws if there is no `/proc`, which only Linux has
 */
export function processorMicros(pid: number): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = new Map<number, number[]>();
  const used = new Map<number, number>();
  for (const name of all) {
    const fields = statOf(name);
    if (fields === undefined) continue;
    const parent = Number(fields[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    used.set(Number(name), (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK);
  }
  const ofTree = (root: number): number =>
    (children.get(root) ?? []).reduce((sum, child) => sum + ofTree(child), used.get(root) ?? 0);
  return ofTree(pid);
}

/** Returns the fields after the name, which may contain spaces: state, parent and so on. */
function statOf(pid: string): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // It has just ended.
  }
}
