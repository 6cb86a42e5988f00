import { after } from '../src/domain/instant.ts';
import { createEmulator } from '../src/main.ts';
import { seedDue } from './due-world.ts';
import { collectGarbage } from './process.ts';
import { count, publish } from './publish.ts';

/** `npm run bench -- due-work`: compares both halves of ten years of due jobs. Near 1, past jobs cost nothing. */
const SUBSCRIPTIONS = 1_000;
const start = '2026-01-31T10:00:00.000Z';
const settings = { clock: 'frozen', clock_now: start, fixture: '', log_level: 'silent' };
const emulator = createEmulator({ settings });
const world = seedDue(emulator, 'bench', SUBSCRIPTIONS);

const before = heldBytes();
const [first, second] = [await travelYears(5), await travelYears(5)];
const held = heldBytes();
const items = first.items + second.items;
const work = {
  items,
  seconds: first.seconds + second.seconds,
  slowdown: second.seconds / first.seconds,
  megabytesBefore: before / 1e6,
  megabytesAfter: held / 1e6,
  bytesPerItem: (held - before) / items,
};
const { seconds, slowdown, megabytesBefore, megabytesAfter, bytesPerItem } = work;
publish(
  'due-work',
  [
    `Ten years over 1,000 subscriptions with monthly renewals and refreshes: ` +
      `${count(items)} due items in ${seconds.toFixed(1)} s of CPU time, ${count(items / seconds)} per second; ` +
      `the second half took ${slowdown.toFixed(2)} times the first. ` +
      `Memory ${count(megabytesBefore)} MB before, ${count(megabytesAfter)} MB after: ` +
      `${count(bytesPerItem)} bytes for each item, which is what it records.`,
  ],
  work,
);

async function travelYears(years: number): Promise<{ items: number; seconds: number }> {
  const started = process.cpuUsage();
  const travelled = await emulator.clocks.advance(world, after(world.now, `${years}y`), 'by');
  const { user, system } = process.cpuUsage(started);
  return { items: travelled.count, seconds: (user + system) / 1e6 };
}

function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
