import { describe, expect, it } from 'vitest';
import { isVacuous, mutantResultOf, type ObservedCheck } from '../selftest/hunt.ts';
import { faultsOf, type SelftestReport } from '../selftest/report.ts';
import { type ShapeMutant, shapeMutants } from '../selftest/shape-mutants.ts';
import { aRecord } from '../testing/records.ts';
import type { GatheredCheck } from './gather.ts';

const CELL = 'getVendor 200';
const mutants = shapeMutants();
const [mutant] = mutants.filter(
  ({ operation, status }) => `${operation.id} ${status}` === CELL,
) as [ShapeMutant];

/** A check that sees one response, with its outcome when that response is spoiled. */
function anObservedCheck(outcome: 'pass' | 'fail'): ObservedCheck {
  const id = 'VND-01';
  const check: GatheredCheck = {
    id,
    title: 'a check',
    run: async () => aRecord({ id, outcome }),
  };
  const cells = new Set([CELL]);
  return { check, name: 'VND-01 a check', milliseconds: 1, sees: cells, insists: cells };
}

const proxy = { spoiled: 1, set() {} };
const sound: SelftestReport = {
  schema: 'billing-emulator/contract-selftest',
  semantic: [{ about: 'm', result: 'killed', killedBy: ['VND-01'] }],
  shapes: [{ name: 'getVendor 200 drops id', result: 'killed', reason: undefined }],
  vacuous: [],
  checks: 1,
};

describe('the self-test', () => {
  it('calls a check vacuous when no spoiled response makes it fail', async () => {
    expect(await isVacuous(anObservedCheck('pass'), mutants, proxy)).toBe(true);
    expect(await isVacuous(anObservedCheck('fail'), mutants, proxy)).toBe(false);
  });

  it('ignores a failed check when no response was spoiled', async () => {
    const untouched = { ...proxy, spoiled: 0 };

    expect(await isVacuous(anObservedCheck('fail'), mutants, untouched)).toBe(true);
    expect(await mutantResultOf(mutant, [anObservedCheck('fail')], untouched, new Set())).toBe(
      'void',
    );
  });

  it('returns the result of a mutant, and adds the checks that noticed it', async () => {
    const killed = new Set<string>();

    expect(await mutantResultOf(mutant, [anObservedCheck('pass')], proxy, killed)).toBe('survived');
    expect(await mutantResultOf(mutant, [], proxy, killed)).toBe('void');
    expect([...killed]).toEqual([]);
    expect(await mutantResultOf(mutant, [anObservedCheck('fail')], proxy, killed)).toBe('killed');
    expect([...killed]).toEqual(['VND-01 a check']);
  });

  it.each<[string, Partial<SelftestReport>, string]>([
    ['a vacuous check', { vacuous: [{ name: 'X-99', reason: undefined }] }, 'turns X-99 red'],
    [
      'a mutant that no check finds',
      { semantic: [{ about: 'm', result: 'survived', killedBy: [] }] },
      'nobody notices m',
    ],
    [
      'a corrupted response without a reason',
      { shapes: [{ name: 's', result: 'survived', reason: undefined }] },
      'no reason is given',
    ],
    [
      'a reason that is not needed',
      { shapes: [{ name: 's', result: 'killed', reason: 'none can' }] },
      'its reason must go',
    ],
    ['no mutant at all', { semantic: [] }, 'only 0.0 %'],
  ])('reports a fault for %s', (_, changes, fault) => {
    expect(faultsOf({ ...sound, ...changes }).join('\n')).toContain(fault);
    expect(faultsOf(sound)).toEqual([]);
  });
});
