import { readFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { createLogger } from '../src/config/log.ts';
import { readSettings } from '../src/config/settings.ts';
import { findFlaws } from '../src/invariants/violations.ts';
import { createEmulator } from '../src/main.ts';
import { openStorage } from '../src/store/storage/open-storage.ts';
import { seedDue } from './due-world.ts';
import { seedWorld } from './growth-world.ts';

/**
 * Runs the measured emulator with a data file. Reports to the parent its longest pause for garbage collection, and the
 * longest time that its main thread worked without yielding.
 */
const [events, customers, data] = process.argv.slice(2) as [string, string, string];
const given = {
  port: 0,
  clock: 'frozen',
  clock_now: '2026-01-01T00:00:00Z',
  fixture: '',
  log_level: 'error',
  data,
};
const settings = readSettings(given);
const storage = await openStorage(settings, createLogger(settings), { findFlaws });
const emulator = createEmulator({ settings: given, storage });
const size = { events: Number(events), customers: Number(customers) };
const large = await seedWorld(emulator, 'large', size);
await seedWorld(emulator, 'other', { events: 1_000, customers: 10 });
seedDue(emulator, 'due', Math.max(1_000, size.customers / 2));

const pauses: { kind: number; ms: number }[] = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { kind = 0 } = (entry as { readonly detail?: { readonly kind: number } }).detail ?? {};
    pauses.push({ kind, ms: entry.duration });
  }
}).observe({ entryTypes: ['gc'] });

let [mostInTurn, usedBefore] = [0, mainThreadMs()];
setInterval(() => {
  const used = mainThreadMs();
  mostInTurn = Math.max(mostInTurn, used - usedBefore);
  usedBefore = used;
}, 1);

process.on('message', () => {
  const longest = pauses.splice(0).reduce((most, each) => (each.ms > most.ms ? each : most), {
    kind: 0,
    ms: 0,
  });
  const { heapUsed } = process.memoryUsage();
  process.send?.({ collector: longest, heapUsed, usedInTurn: mostInTurn });
  mostInTurn = 0;
});
const { world, ...seeded } = large;
process.send?.({ url: await emulator.listen(), seeded });

/** Processor time of the main thread, from the kernel's scheduler. */
function mainThreadMs(): number {
  return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}
