import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Sends requests to a small world repeatedly, in a separate thread. At each message it reports the longest wait since
 * the message before, and the longest processor time of the server's main thread during one wait. On a busy machine the
 * latter is the upper bound of the wait that the server itself causes.
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

/** Processor time of the process's first thread alone, from the kernel's scheduler. */
function mainThreadMs() {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

function ask() {
  return new Promise((resolve) => {
    const asked = request(`${url}/customers?limit=1`, { headers, agent }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    // The server closes a connection that is idle for too long. The next request opens another.
    asked.on('error', resolve);
    asked.end();
  });
}
