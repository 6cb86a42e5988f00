import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Asks a small world again and again, from a thread of its own. At each message it tells the longest wait since the
 * one before, and the most processor time during one, of the server's main thread and of all its threads: where others
 * have the machine, the wait would be about as long as the one or the other without them.
 */
const { url, pid } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = { Authorization: 'Bearer key_test_other' };
let longest = { wait: 0, used: 0, usedByAll: 0 };
let isAsked = false;
parentPort.on('message', () => {
  isAsked = true;
});
parentPort.postMessage('ready');
for (;;) {
  const started = performance.now();
  const [before, beforeOfAll] = [mainThreadMs(), allThreadsMs()];
  await ask();
  longest = {
    wait: Math.max(longest.wait, performance.now() - started),
    used: Math.max(longest.used, mainThreadMs() - before),
    usedByAll: Math.max(longest.usedByAll, allThreadsMs() - beforeOfAll),
  };
  if (isAsked) {
    parentPort.postMessage(longest);
    longest = { wait: 0, used: 0, usedByAll: 0 };
    isAsked = false;
  }
  await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Of the process's first thread alone, by the kernel's scheduler. */
function mainThreadMs() {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** In ticks of 10 ms, as everywhere on Linux; the name, which may hold blanks, stands in brackets before. */
function allThreadsMs() {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function ask() {
  return new Promise((resolve) => {
    const asked = request(`${url}/customers?limit=1`, { headers, agent }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    // One that was idle for too long is closed; what comes next opens another.
    asked.on('error', resolve);
    asked.end();
  });
}
