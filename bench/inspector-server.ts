import { createEmulator } from '../src/emulator.ts';
import { seedWorld } from './growth-world.ts';

/** Serves a small world and a large one, and tells the parent what pages of them name. */
const [events, customers] = process.argv.slice(2).map(Number) as [number, number];
const settings = {
  port: 0,
  clock: 'frozen',
  clock_now: '2026-01-01T00:00:00Z',
  fixture: '',
  log_level: 'silent',
};
const emulator = createEmulator({ settings });
const url = await emulator.listen();
const worlds = {
  small: await seedWorld(emulator, 'small', { events: 1_000, customers: 100 }),
  large: await seedWorld(emulator, 'large', { events, customers }),
};
// A log that is full in the large world, and has a page in the small one.
for (const [name, requests] of Object.entries({ small: 50, large: 500 })) {
  const headers = { Authorization: `Bearer key_test_${name}` };
  for (let sent = 0; sent < requests; sent += 1)
    await (await fetch(`${url}/customers?limit=${(sent % 40) + 1}`, { headers })).text();
}
const named = Object.entries(worlds).map(([name, { world: _, ...seeded }]) => [name, seeded]);
process.send?.({ url, worlds: Object.fromEntries(named) });
