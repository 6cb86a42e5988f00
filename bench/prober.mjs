import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Asks a small world again and again, from a thread of its own. At each message it tells the longest wait since the
 * one before, and the most processor time of the server's main thread during one: where others have the machine, the
 * wait would be at most as long without them.
 */
const { url, pid } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = { Authorization: 'Bearer key_test_other' };
let longest = { wait: 0, used: 0 };
let isAsked = false;
parentPort.on('message', () => {
  isAsked = true;
});
parentPort.postMessage('ready');
for (;;) {
  const started = performance.now();
  const before = mainThreadMs();
  await ask();
  longest = {
    wait: Math.max(longest.wait, performance.now() - started),
    used: Math.max(longest.used, mainThreadMs() - before),
  };
  if (isAsked) {
    parentPort.postMessage(longest);
    longest = { wait: 0, used: 0 };
    isAsked = false;
  }
  await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Of the process's first thread alone, by the kernel's scheduler. */
function mainThreadMs() {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
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
