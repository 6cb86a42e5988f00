import { after } from '../src/domain/instant.ts';
import { createEmulator } from '../src/emulator.ts';
import { seedDue } from './due-world.ts';

/** Runs ten years of due work once and tells the parent what it took. */
const SUBSCRIPTIONS = 1_000;
const start = '2026-01-31T10:00:00.000Z';
const settings = { clock: 'frozen', clock_now: start, fixture: '', log_level: 'silent' };
const emulator = createEmulator({ settings });
const { clocks } = emulator;
const world = seedDue(emulator, 'bench', SUBSCRIPTIONS);

const before = memory();
const [first, second] = [await travelYears(5), await travelYears(5)];
const grown = memory() - before;
const items = first.items + second.items;
process.send?.({
  items,
  seconds: first.seconds + second.seconds,
  slowdown: second.seconds / first.seconds,
  megabytesBefore: before / 1e6,
  megabytesAfter: (before + grown) / 1e6,
  bytesPerItem: grown / items,
});
process.disconnect?.();

async function travelYears(years: number): Promise<{ items: number; seconds: number }> {
  const started = process.cpuUsage();
  const { count } = await clocks.advance(world, after(world.now, `${years}y`), 'by');
  const { user, system } = process.cpuUsage(started);
  return { items: count, seconds: (user + system) / 1e6 };
}

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
