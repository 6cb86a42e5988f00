import { beforeEach, describe, expect, it } from 'vitest';
import { nextDue, runDueJob } from '../../clock/due.ts';
import type { Due } from '../../clock/job.ts';
import { instant } from '../../domain/instant.ts';
import type { TransactionRow } from '../../store/records.ts';
import { openAutoTopUps } from '../../testing/before-each.ts';
import { inWorld } from '../../testing/catalog.ts';

const place = openAutoTopUps();
const { give, charge, balance, advance, turnOn, saveMethod, refusals } = place;

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
});

describe('an automatic top-up without a rate', () => {
  const setRate = (more: object) =>
    place.api(
      'setAssetRate',
      { path: { assetCode: 'CREDIT' }, body: { source: 'USD', ...more } },
      204,
    );

  beforeEach(async () => {
    await saveMethod();
    await give(100, 'CREDIT');
    await turnOn({ threshold: 50 }, 'CREDIT');
    await setRate({ rate: 0.05, valid_to: '2026-01-16T00:00:00Z' });
    await advance('P1D');
    await charge(60, 'CREDIT');
    expect([await balance('CREDIT'), await refusals()]).toEqual([40, ['not_possible']]);
  });

  it('pays when a scheduled rate begins', async () => {
    await setRate({ rate: 0.1, valid_from: '2026-01-20T00:00:00Z' });
    expect(await balance('CREDIT')).toBe(40);

    const { items } = await advance('P10D');

    expect(items).toMatchObject([
      { kind: 'rate_change', at: '2026-01-20T00:00:00.000Z' },
      { kind: 'auto_top_up', at: '2026-01-20T00:00:00.000Z', outcome: 'paid' },
    ]);
    expect(await balance('CREDIT')).toBe(340);
  });

  it('is tried again at the next fall', async () => {
    await give(20, 'CREDIT');
    await setRate({ rate: 0.1, valid_from: '2026-01-20T00:00:00Z' });
    await place.control('setClock', { body: { mode: 'frozen', now: '2026-01-20T00:00:00Z' } });

    await charge(20, 'CREDIT');
    expect(await balance('CREDIT')).toBe(340);
  });
});
