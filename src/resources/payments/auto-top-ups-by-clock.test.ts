import { describe, expect, it } from 'vitest';
import { nextDue, runDueJob } from '../../clock/due.ts';
import type { Due } from '../../clock/job.ts';
import { instant } from '../../domain/instant.ts';
import type { TransactionRow } from '../../store/records.ts';
import { openAutoTopUps } from '../../testing/before-each.ts';
import { aCatalogProduct, EVERY_MONTH, entitlement, inWorld } from '../../testing/catalog.ts';

const place = openAutoTopUps();
const { give, balance, advance, turnOn, saveMethod, statuses } = place;

describe('an automatic top-up while the clock advances', () => {
  it('pays at the instant at which credit expires', async () => {
    await saveMethod();
    await give(20, 'USD', { expires_at: '2026-01-20T00:00:00Z' });
    await turnOn();

    const { items } = await advance('P10D');

    expect(items).toMatchObject([
      { kind: 'grant_expiry', at: '2026-01-20T00:00:00.000Z' },
      { kind: 'auto_top_up', at: '2026-01-20T00:00:00.000Z', outcome: 'paid' },
    ]);
    expect(await balance()).toBe(30);
  });

  it('is in the changes of the job that caused it', async () => {
    await saveMethod();
    await give(20, 'USD', { expires_at: '2026-01-20T00:00:00Z' });
    await turnOn();
    const { world } = inWorld(place.client, (context) => context);
    world.clock.state = { mode: 'frozen', at: instant('2026-01-20T00:00:00Z') };

    const { kind, changes } = runDueJob(
      world,
      nextDue(world) as Due,
      place.client.emulator.settings,
    );

    expect(kind).toBe('grant_expiry');
    const moved = changes
      .filter(({ table }) => table === 'transactions')
      .map(({ after }) => (after as TransactionRow).source);
    expect(moved).toEqual(['expiry', 'top_up']);
  });

  it('does not pay if a refresh at the same instant restores the balance', async () => {
    await saveMethod();
    await aCatalogProduct(place.client, 'plan', { entitlements: [entitlement(1000, EVERY_MONTH)] });
    const order = { products: [{ code: 'plan' }] };
    await place.client.api(
      'createSubscription',
      { path: { customerId: place.customerId }, body: order },
      201,
    );
    await turnOn({ threshold: 50 }, 'CREDIT');

    await advance('P2M');

    expect([await balance('CREDIT'), statuses()]).toEqual([1000, []]);
  });
});
