import { openSync, readFileSync, readSync } from 'node:fs';
import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';

/**
 * Reads one byte of each 64 KB of a process's memory, twice a second. Shared machines may take away unused memory and
 * return it page by page when it is used, which would show in the measured waits.
 */
// Of this thread only. It must not take a core from the measured process.
setPriority(19);
const { pid } = workerData;
const STEP = 65_536;
const memory = openSync(`/proc/${pid}/mem`, 'r');
const byte = Buffer.alloc(1);
setInterval(() => {
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    // Anonymous and writable memory: the JavaScript heap and other allocations.
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw-p 0+ 00:00 0/.exec(line) ?? [];
    if (from && to) touch(Number.parseInt(from, 16), Number.parseInt(to, 16));
  }
}, 500);

function touch(from, to) {
  for (let at = from; at < to; at += STEP)
    try {
      readSync(memory, byte, 0, 1, at);
    } catch {
      return; // Released since it was listed.
    }
}
