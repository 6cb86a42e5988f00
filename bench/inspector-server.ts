import { openSmallAndLarge } from './growth-world.ts';

/** Serves a small and a large world, and reports to the parent the ids in them. */
const [events, customers] = process.argv.slice(2).map(Number) as [number, number];
const { url, small, large } = await openSmallAndLarge({ events, customers });
// The request log is full in the large world, and has one page in the small one.
for (const [name, requests] of Object.entries({ small: 50, large: 500 })) {
  const headers = { Authorization: `Bearer key_test_${name}` };
  for (let sent = 0; sent < requests; sent += 1)
    await (await fetch(`${url}/customers?limit=${(sent % 40) + 1}`, { headers })).text();
}
const named = Object.entries({ small, large }).map(([name, { world: _, ...seeded }]) => [
  name,
  seeded,
]);
process.send?.({ url, worlds: Object.fromEntries(named) });
