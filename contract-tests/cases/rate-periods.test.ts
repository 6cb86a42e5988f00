import { aFreshAsset, anOwnWorld, call, check, describe, expect, now } from '../kit/index.ts';
import { assetOf, type Schedule, scheduleOf, setRate } from './shared/assets.ts';
import { DAY_MS } from './shared/times.ts';

/** The rate that a quote uses, now unless an instant is given; `none` where none is in force. */
async function quoted(assetCode: string, exchange_at?: string, source = 'USD') {
  const body = { source, amount: 8, ...(exchange_at && { exchange_at }) };
  const { status, body: quote } = await call(
    'quoteAsset',
    { path: { assetCode }, body },
    [200, 422],
  );
  return status === 200 ? quote.rate : 'none';
}

const ends = (schedule: Schedule) => schedule.map(({ rate, valid_to }) => [rate, valid_to]);

describe('validity periods of rates', () => {
  check(
    'AST-40',
    { requirement: 'R-AST-41', level: 'ASSUMED', effect: 'E3', assumes: ['A-403', 'A-404'] },
    'new rates of one source, from now, in the future and in the past → the rate of another source stays in force without an end',
    async () => {
      const { code } = await aFreshAsset({ precision: 2 });
      const [past, ahead] = [now(-DAY_MS), now(DAY_MS)];
      await setRate(code, { source: 'EUR', rate: 0.4, valid_from: now(-3 * DAY_MS) });
      await setRate(code, { rate: 0.5, valid_from: now(-2 * DAY_MS) });
      for (const [rate, valid_from] of [
        [0.8, undefined],
        [1, ahead],
        [0.6, past],
      ])
        await setRate(code, { rate, valid_from });
      const { rates } = await assetOf(code);
      const euro = rates.find(({ source }) => source === 'EUR');

      expect(await quoted(code)).toBe(0.8);
      expect(await quoted(code, past)).toBe(0.6);
      expect(await quoted(code, ahead)).toBe(1);
      for (const instant of [undefined, past, ahead, now(2 * DAY_MS)])
        expect(await quoted(code, instant, 'EUR'), instant).toBe(0.4);
      expect(ends(euro?.schedule ?? [])).toEqual([[0.4, undefined]]);
    },
  );

  check(
    'AST-41',
    { requirement: 'R-AST-42', level: 'ASSUMED', effect: 'E3', assumes: ['A-403', 'A-404'] },
    'a rate in the past, added after a later one is known → in force until the later one, which is in force now',
    async () => {
      const { code } = await aFreshAsset({ precision: 2 });
      const [first, middle, last] = [now(-6 * DAY_MS), now(-4 * DAY_MS), now(-2 * DAY_MS)];
      await setRate(code, { rate: 2, valid_from: first });
      await setRate(code, { rate: 4, valid_from: last });
      await setRate(code, { rate: 8, valid_from: middle });

      expect(await quoted(code)).toBe(4);
      for (const [instant, rate] of [
        [now(-5 * DAY_MS), 2],
        [middle, 8],
        [now(-3 * DAY_MS), 8],
        [last, 4],
        [now(-DAY_MS), 4],
      ] as const)
        expect(await quoted(code, instant), instant).toBe(rate);
      expect(ends(await scheduleOf(code))).toEqual([
        [4, undefined],
        [8, last],
        [2, middle],
      ]);
    },
  );

  check(
    'AST-42',
    {
      requirement: ['R-AST-38', 'R-AST-43'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-403', 'A-404'],
    },
    'a rate with an end, within the period of one without → no rate is in force after that end until the next is added',
    async () => {
      const { code } = await aFreshAsset({ precision: 2 });
      const [from, to] = [now(-3 * DAY_MS), now(-2 * DAY_MS)];
      await setRate(code, { rate: 2, valid_from: now(-4 * DAY_MS) });
      await setRate(code, { rate: 4, valid_from: from, valid_to: to });

      expect(await quoted(code, now(-3.5 * DAY_MS))).toBe(2);
      expect(await quoted(code, now(-2.5 * DAY_MS))).toBe(4);
      for (const instant of [to, now(-DAY_MS), undefined, now(DAY_MS)])
        expect(await quoted(code, instant), instant).toBe('none');
      await setRate(code, { rate: 16, valid_from: now(-DAY_MS) });
      expect(await quoted(code)).toBe(16);
      expect(await quoted(code, now(-1.5 * DAY_MS))).toBe('none');
    },
  );
});

const [FEBRUARY, MARCH, APRIL] = [
  '2026-02-01T00:00:00.000Z',
  '2026-03-01T12:00:00.000Z',
  '2026-04-01T00:00:00.000Z',
] as const;

describe('rates of a currency that is then created as an asset', () => {
  check(
    'AST-45',
    {
      requirement: ['R-AST-29', 'R-AST-34'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-401', 'A-403'],
      needs: 'clock.movable',
    },
    'currency with rates of two sources, then created as an asset with a new rate of one and of a third; created again; another created without rates → existing rates stay, the current one ends, future ones are kept; the second creation is rejected',
    async (t) => {
      const call = anOwnWorld(t);
      await call('setClock', { body: { mode: 'frozen', now: MARCH } });
      const told = [
        { source: 'USD', rate: 1.25, valid_from: FEBRUARY },
        { source: 'USD', rate: 1.6, valid_from: APRIL },
        { source: 'GBP', rate: 0.8, valid_from: FEBRUARY },
      ];
      for (const body of told)
        for (const assetCode of ['EUR', 'CHF'])
          await call('setAssetRate', { path: { assetCode }, body });
      const rates = async (assetCode: string) =>
        (await call('getAsset', { path: { assetCode } })).rates;
      const before = await rates('CHF');
      const starting = [
        { source: 'USD', rate: 2 },
        { source: 'JPY', rate: 160 },
      ];
      const euro = { code: 'EUR', name: 'Euro', rates: starting };
      await call('createAsset', { body: euro });
      await call('createAsset', { body: { code: 'CHF', name: 'Franc' } });
      const after = await rates('EUR');

      const ahead = { valid_from: APRIL, rate: 1.6, inverse_rate: 0.625 };
      const former = { valid_from: FEBRUARY, rate: 1.25, inverse_rate: 0.8 };
      const present = { valid_from: MARCH, valid_to: APRIL, rate: 2, inverse_rate: 0.5 };
      const yen = { valid_from: MARCH, rate: 160, inverse_rate: 0.00625 };
      const pound = { valid_from: FEBRUARY, rate: 0.8, inverse_rate: 1.25 };
      expect(before).toEqual([
        { source: 'USD', schedule: [ahead, { ...former, valid_to: APRIL }] },
        { source: 'GBP', schedule: [pound] },
      ]);
      expect(after).toEqual([
        { source: 'USD', schedule: [ahead, present, { ...former, valid_to: MARCH }] },
        { source: 'JPY', schedule: [yen] },
        { source: 'GBP', schedule: [pound] },
      ]);
      expect(await rates('CHF')).toEqual(before);
      await expect(call('createAsset', { body: euro })).rejects.toThrow('422');
      expect(await rates('EUR')).toEqual(after);
    },
  );
});
