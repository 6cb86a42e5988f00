import { Agent, request } from 'node:http';
import { parentPort, workerData as url } from 'node:worker_threads';

/**
 * Asks the other world again and again, from a thread of its own; tells the longest wait since `begin`, and the most
 * processor time that the process took during one.
 */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = { Authorization: 'Bearer key_test_other' };
let longest = { wait: 0, used: 0 };
let awaited;
parentPort.on('message', (message) => {
  awaited = message;
});
parentPort.postMessage('ready');
for (;;) {
  const started = performance.now();
  const before = process.cpuUsage();
  await new Promise((resolve) => {
    const asked = request(`${url}/customers?limit=1`, { headers, agent }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    // One that was idle for too long is closed; what comes next opens another.
    asked.on('error', resolve);
    asked.end();
  });
  const { user, system } = process.cpuUsage(before);
  const wait = performance.now() - started;
  longest = {
    wait: Math.max(longest.wait, wait),
    used: Math.max(longest.used, (user + system) / 1_000),
  };
  if (awaited) {
    parentPort.postMessage(longest);
    longest = { wait: 0, used: 0 };
    awaited = undefined;
  }
  await new Promise((resolve) => setTimeout(resolve, 1));
}
