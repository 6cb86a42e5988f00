import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** How often to look whether npx has ended. @units milliseconds */
const INTERVAL = 500;

/** npx runs a command in a shell. */
const SHELL = /(^|\/)(sh|dash|bash|ash|zsh|busybox)$/;

/**
 * Calls `stop` once the npx that started this process has ended: if it is killed, it cannot pass the signal on. Whoever
 * starts the emulator without npx may end before it.
 */
export function stopWithNpx(stop: () => void): void {
  if (process.env['npm_command'] !== 'exec') return;
  const parent = readProcess(process.ppid);
  const npx = parent && SHELL.test(parent.name) ? parent.parent : process.ppid;
  const timer = setInterval(() => {
    if (isRunning(npx)) return;
    clearInterval(timer);
    stop();
  }, INTERVAL);
  timer.unref();
}

interface Process {
  readonly parent: number;
  /** `Z` for one that has ended, whose parent has not noticed. */
  readonly state: string;
  readonly name: string;
}

const LINE = /^(\d+) (\S)\S* (.+)$/;

/** Undefined if there is no such process, or the system does not report it. */
function readProcess(pid: number): Process | undefined {
  try {
    const [, name, state, parent] = /\((.*)\) (\S) (\d+)/s.exec(statOf(pid)) ?? [];
    return { name: name as string, state: state as string, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** What `/proc` says of a process; elsewhere what `ps` says, in the same form. @throws Error if neither does */
function statOf(pid: number): string {
  if (process.platform === 'linux') return readFileSync(`/proc/${pid}/stat`, 'utf8');
  const line = execFileSync('ps', ['-o', 'ppid=,state=,comm=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const [, parent, state, name] = LINE.exec(line.trim().replaceAll(/ +/g, ' ')) ?? [];
  return `(${name}) ${state} ${parent}`;
}

/** Whether a process exists, also one of another user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return process.platform !== 'linux' || readProcess(pid)?.state !== 'Z';
}
