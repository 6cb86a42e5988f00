import { performance } from 'node:perf_hooks';
import { createClient } from '../src/client/index.ts';
import { createEmulator } from '../src/main.ts';
import { runBeside } from './process.ts';
import { median, operands } from './publish.ts';

/**
 * `npm run bench -- webhooks [rounds]`: measures the effect of a hundred destinations, of which one is dead, one slow and one
 * flapping, on the latency of calls.
 */
const KEY = 'key_test_bench';
const rounds = Number(operands()[0] ?? 40);
const { child, told } = await runBeside<{ port: number }>('servers/webhook-receivers.ts', []);
const { port } = told;
// In turns, so that other load on the machine affects both alike.
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
process.stdout.write(
  `100 healthy: ${a.toFixed(3)} ms median; 97 healthy, 1 dead, 1 slow, 1 flapping: ` +
    `${b.toFixed(3)} ms median; ratio ${(b / a).toFixed(3)}\n`,
);
await Promise.all([healthy.close(), mixed.close()]);
child.kill();

/** An emulator with a hundred destinations, of which the first have the given kinds. */
async function openHundred(port: number, kinds: readonly string[]) {
  const settings = { port: 0, clock: 'frozen', clock_now: '2026-01-15T12:00:00Z' };
  const emulator = createEmulator({ settings });
  const client = createClient({ url: await emulator.listen(), key: KEY });
  for (let count = 0; count < 100; count += 1) {
    const kind = kinds[count] ?? 'healthy';
    const url = `http://127.0.0.1:${port}/${kind}/${count}`;
    await client.call('createWebhook', { body: { url } });
  }
  const { id: customerId } = await client.call('createCustomer', { body: { name: 'Acme' } });
  const times: number[] = [];

  /** For half a second, sends an event every fifty milliseconds and measures reads. */
  async function slice(): Promise<void> {
    const end = performance.now() + 500;
    let nextEvent = performance.now();
    while (performance.now() < end) {
      if (performance.now() >= nextEvent) {
        await client.call('testWebhooks', { path: { topic: 'subscription.activated' }, body: {} });
        nextEvent += 50;
      }
      const start = performance.now();
      await client.call('getCustomer', { path: { customerId } });
      times.push(performance.now() - start);
    }
  }
  return { slice, times, close: () => emulator.close() };
}
