import { expect, it } from 'vitest';
import type { Row } from '../store/row.ts';
import { type RecordTables, TABLE_NAMES, type Tables } from '../store/schema.ts';
import type { TimeSliced } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';
import { anEvent } from '../testing/catalog.ts';
import { createTestClient } from '../testing/client.ts';
import { aUser } from '../testing/story.ts';
import { findDefects, recordViolations } from './violations.ts';

const client = createTestClient();
const EVENTS = 200;
const CUSTOMERS = 100;

/** A world with usage by units and by tiers, and many customers with subscriptions. */
async function aBusyWorld(): Promise<World> {
  const tiers = [{ unit_price: 1, up_to: 10 }, { unit_price: 0.5 }];
  const tiered = {
    name: 'tiers',
    pricing_model: 'tiered',
    tiering: { basis: 'unit', period: 'monthly' },
    values: tiers,
  };
  const user = await aUser(client, { prices: [{ name: 'flat' }, tiered] });
  const { key } = user;
  await user.credit('USD', 50);
  await user.submit(...Array.from({ length: EVENTS / 2 }, () => anEvent({ subject: 'a task' })));
  await user.submit(...Array.from({ length: EVENTS / 2 }, () => anEvent()));
  const { items } = await client.api('listProducts', { key });
  const subscriptions = [{ products: [{ id: items[0].id }] }];
  for (let count = 0; count < CUSTOMERS; count += 1)
    await client.api('createCustomer', { key, body: { name: `${count}`, subscriptions } }, 201);
  return client.emulator.worlds.find(key) as World;
}

/** The tables of a world, and a count of the rows that were read from them. */
function counted(tables: Tables) {
  const looked = { rows: 0 };
  const entries = TABLE_NAMES.map((name) => {
    const table = tables[name];
    return [
      name,
      {
        size: table.size,
        get: (id: string) => {
          looked.rows += 1;
          return table.get(id);
        },
        *values(): Generator<Row> {
          for (const row of table.values()) {
            looked.rows += 1;
            yield row;
          }
        },
      },
    ];
  });
  return { looked, tables: Object.fromEntries(entries) as RecordTables };
}

type Walk = (tables: RecordTables, platform: string) => TimeSliced<readonly unknown[]>;

it.each<[string, Walk]>([
  ['a verification', recordViolations],
  ['an import', findDefects],
])('%s reads fewer than ten rows between two yields', async (_name, walk) => {
  const world = await aBusyWorld();
  const { looked, tables } = counted(world.tables);
  const work = walk(tables, world.accountId);
  let [step, most, before] = [work.next(), 0, 0];
  for (; !step.done; step = work.next()) {
    most = Math.max(most, looked.rows - before);
    before = looked.rows;
  }
  expect(step.value).toEqual([]);
  // One event names two transactions; a record that is checked by its references names a few.
  expect(Math.max(most, looked.rows - before)).toBeLessThan(10);
  expect(looked.rows).toBeGreaterThan(5 * EVENTS);
});
