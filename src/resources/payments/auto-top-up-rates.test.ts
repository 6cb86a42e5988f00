import { beforeEach, describe, expect, it } from 'vitest';
import { openAutoTopUps } from '../../testing/before-each.ts';

const place = openAutoTopUps();
const { give, charge, balance, advance, turnOn, saveMethod, refusals } = place;

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

  it('pays when a rate is set', async () => {
    await setRate({ rate: 0.1 });

    // 40, and 30 USD at 0.1 buy 300.
    expect([await balance('CREDIT'), await refusals()]).toEqual([340, [undefined]]);
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
