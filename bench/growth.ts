import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { READS, type Read, UI, withKey } from './growth-reads.ts';
import { openSmallAndLarge, type SeededWorld } from './growth-world.ts';
import { collectGarbage } from './process.ts';
import { count, median, operands, publish } from './publish.ts';

/**
 * `npm run bench -- growth [events] [customers]`: shows which reads get slower in a large world. Measures each read in a
 * world of 1,000 events and in a large one, in turns, with the same number of items in the response.
 */
const [events = 1_000_000, customers = 100_000] = operands().map(Number);
const READ_MS = 600;
const MAX_READS = 200;
let asked = 0;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const { emulator, url, small, large } = await openSmallAndLarge({ events, customers });
collectGarbage();
const memory = process.memoryUsage().heapUsed;

const growth: { name: string; small: number; large: number }[] = [];
for (const read of READS) {
  await measure(read);
  const row = { name: read.name, ...(await measure(read)) };
  growth.push(row);
  process.stderr.write(`${row.name}: ${row.small.toFixed(2)} ${row.large.toFixed(2)}\n`);
}
agent.destroy();
await emulator.close();

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const size = `${count(events)} events`;
publish(
  'growth',
  [
    `${size} and ${count(customers)} customers take ${count(memory / 1e6)} MB.`,
    '',
    `| read | at 1,000 events | at ${size} | ratio |`,
    '|---|---|---|---|',
    ...growth.map(
      (row) =>
        `| ${row.name} | ${ms(row.small)} | ${ms(row.large)} | ${(row.large / row.small).toFixed(1)} |`,
    ),
  ],
  { memory, growth },
);

/** Returns the medians of processor time in milliseconds, including the client. */
async function measure(read: Read): Promise<{ small: number; large: number }> {
  const times: { small: number[]; large: number[] } = { small: [], large: [] };
  const until = performance.now() + READ_MS;
  while (times.small.length < 3 || (performance.now() < until && times.small.length < MAX_READS)) {
    times.small.push(await send(small, read));
    times.large.push(await send(large, read));
  }
  return { small: median(times.small), large: median(times.large) };
}

/** Returns the processor time in milliseconds from the request to the last byte. */
async function send(seeded: SeededWorld, { name, path }: Read): Promise<number> {
  const { sandbox, environment } = seeded.world;
  const key = `key_${environment}_${sandbox}`;
  const headers = { Authorization: `Bearer ${key}` };
  const at = path(seeded);
  // An empty query changes nothing but the address, so that no cached response is used.
  asked += 1;
  const anew = `${at.includes('?') ? '&' : '?'}${'&'.repeat(asked % MAX_READS)}`;
  const address = at.startsWith(UI) ? withKey(at, key) : at + anew;
  const before = process.cpuUsage();
  const sent = request(`${url}${address}`, { headers, agent });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  if ((response.statusCode ?? 500) >= 400) throw new Error(`${name}: ${response.statusCode}`);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
