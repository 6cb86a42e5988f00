import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { createEmulator, type Emulator } from '../src/main.ts';
import { deriveFraction } from '../src/store/ids.ts';
import { runBeside } from './process.ts';
import { median, operands } from './publish.ts';

/**
 * Two proofs that take too long for a unit test. `latency`: the effect of a hundred destinations, of which one is
 * dead, one slow and one flapping, on the latency of calls. `soak`: delivers ten thousand events while their
 * receiver is killed and restarted at random.
 *
 *     npm run bench -- webhooks latency|soak [count]
 */
const KEY = 'key_test_bench';
const TOPIC = 'subscription.activated';
const [mode = 'latency', given] = operands();
if (mode === 'soak') await soak(Number(given ?? 10_000));
else await compareLatency(Number(given ?? 40));

async function openEmulator() {
  const settings = { port: 0, clock: 'frozen', clock_now: '2026-01-15T12:00:00Z' };
  const emulator = createEmulator({ settings });
  const url = await emulator.listen();
  const call = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}${path}`, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return { emulator, call };
}

async function openReceivers(port = 0) {
  const ready = await runBeside<{ port: number }>('servers/webhook-receivers.ts', [String(port)]);
  return { child: ready.child, port: ready.told.port };
}

/** An emulator with a hundred destinations, of which the first have the given kinds. */
async function openHundred(port: number, kinds: readonly string[]) {
  const { emulator, call } = await openEmulator();
  for (let count = 0; count < 100; count += 1) {
    const kind = kinds[count] ?? 'healthy';
    await call('POST', '/webhooks', { url: `http://127.0.0.1:${port}/${kind}/${count}` });
  }
  const { id } = await call('POST', '/customers', { name: 'Acme' });
  const times: number[] = [];

  /** For half a second, sends an event every fifty milliseconds and measures reads. */
  async function slice(): Promise<void> {
    const end = performance.now() + 500;
    let nextEvent = performance.now();
    while (performance.now() < end) {
      if (performance.now() >= nextEvent) {
        await call('POST', `/webhooks/test/${TOPIC}`, {});
        nextEvent += 50;
      }
      const start = performance.now();
      await call('GET', `/customers/${id}`);
      times.push(performance.now() - start);
    }
  }
  return { slice, times, close: () => emulator.close() };
}

/** Measures both in turns, so that other load on the machine affects them alike. */
async function compareLatency(rounds: number): Promise<void> {
  const { child, port } = await openReceivers();
  const healthy = await openHundred(port, []);
  const mixed = await openHundred(port, ['dead', 'slow', 'flapping']);
  for (const each of [healthy, mixed]) {
    await each.slice();
    each.times.length = 0;
  }
  for (let round = 0; round < rounds; round += 1) {
    const turns = round % 2 === 0 ? [healthy, mixed] : [mixed, healthy];
    for (const each of turns) await each.slice();
  }
  const [a, b] = [median(healthy.times), median(mixed.times)];
  print(`100 healthy: ${a.toFixed(3)} ms median; 97 healthy, 1 dead, 1 slow, 1 flapping: `);
  print(`${b.toFixed(3)} ms median; ratio ${(b / a).toFixed(3)}\n`);
  await Promise.all([healthy.close(), mixed.close()]);
  child.kill();
}

async function soak(count: number): Promise<void> {
  const { emulator, call } = await openEmulator();
  const arrived: string[] = [];
  let { child, port } = await openReceivers();
  let restarts = 0;
  const hear = () =>
    child.on('message', (message) => {
      if (typeof message === 'string') arrived.push(message);
    });
  hear();
  await call('POST', '/webhooks', { url: `http://127.0.0.1:${port}/told` });
  let isOver = false;
  const killing = (async () => {
    while (!isOver) {
      await new Promise((resolve) =>
        setTimeout(resolve, 300 + deriveFraction(['pause', restarts]) * 1500),
      );
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      ({ child } = await openReceivers(port));
      hear();
      restarts += 1;
    }
  })();
  const began = performance.now();
  const sent: string[] = [];
  for (let number = 0; number < count; number += 1)
    sent.push((await call('POST', `/webhooks/test/${TOPIC}`, { number })).id);
  isOver = true;
  await killing;
  await call('POST', '/_emulator/clock/advance', { by: 'P5D' });
  const seconds = (performance.now() - began) / 1000;
  print(`${count} events, ${restarts} restarts, ${seconds.toFixed(1)} s: `);
  process.exitCode = validateSoak(emulator, { sent, arrived }) ? 0 : 1;
  await emulator.close();
  child.kill();
}

/** Prints the outcome of the sent events. Returns whether all arrived, in order. */
function validateSoak(
  emulator: Emulator,
  { sent, arrived }: { readonly sent: readonly string[]; readonly arrived: readonly string[] },
): boolean {
  const world = emulator.worlds.find(KEY);
  const deliveries = [...(world?.tables.deliveries.values() ?? [])].sort((a, b) => a.seq - b.seq);
  const atOnce = deliveries.filter(({ exchanges }) => exchanges[0]?.error === null);
  const first = new Set(atOnce.map(({ event_id }) => event_id));
  const seen = [...new Set(arrived)];
  const inOrder = seen.filter((id) => first.has(id)).join() === [...first].join();
  const lost = sent.filter((id) => !seen.includes(id)).length;
  const unsettled = deliveries.filter(({ status }) => status !== 'succeeded').length;
  print(
    `${lost} lost, ${unsettled} not acknowledged, ${arrived.length - seen.length} arrived again, `,
  );
  print(
    `${sent.length - first.size} not at the first attempt; first attempts in order: ${inOrder}\n`,
  );
  return lost === 0 && unsettled === 0 && inOrder;
}

function print(text: string): void {
  process.stdout.write(text);
}
