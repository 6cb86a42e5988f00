import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anEvent } from '../../../testing/catalog.ts';
import { PostgresEmulators } from '../../../testing/postgres/emulators.ts';
import { hasPostgres } from '../../../testing/postgres/server.ts';
import { aUser } from '../../../testing/story.ts';

const page = readFileSync(new URL('../../../../docs/data.md', import.meta.url), 'utf8');
const QUERIES = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query = '']) => query);

describe.skipIf(!hasPostgres)('the queries of the documentation', () => {
  const emulators = new PostgresEmulators();

  it('show balances, usage and who holds a world', async () => {
    const client = await emulators.start();
    const user = await aUser(client, { prices: [{ values: [{ unit_price: 0.25 }] }] });
    await user.credit('USD', 10);
    await user.submit(anEvent(), anEvent());
    const shown = await Promise.all(
      QUERIES.map((query) =>
        emulators.postgres.query(query.replaceAll('billing_emulator.', `${emulators.schema}.`)),
      ),
    );

    expect(shown).toEqual([
      [{ sandbox: expect.any(String), customer: user.customerId, asset: 'USD', available: '9.5' }],
      [{ world: expect.any(String), customer: user.customerId, events: '2' }],
      [
        {
          key: expect.any(String),
          holder: expect.stringContaining('process'),
          is_held: true,
          records: expect.any(String),
        },
      ],
    ]);
  });
});
