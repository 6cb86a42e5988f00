import { describe, expect, it } from 'vitest';
import { aRecord } from '../../testing/records.ts';
import { gatherCases } from '../gather.ts';
import type { Selection } from '../plan.ts';
import { registry } from '../registry.ts';
import { complete } from './complete.ts';
import { narrownessOf } from './narrow.ts';

const all: Selection = { only: [], skip: [], operations: [], levels: [] };
const plan = { selection: all, ceiling: 'E4' } as const;
await gatherCases();
const whole = [...registry().checks.keys()].map((id) => aRecord({ id }));
const question = { checks: complete(whole), plan, profile: 'full', isCutShort: false } as const;

describe('narrownessOf', () => {
  it('returns nothing for a complete run', () => {
    expect(narrownessOf(question)).toEqual([]);
    expect(narrownessOf({ ...question, profile: 'certify' })).toEqual([]);
  });

  it('names selected checks without a result, unless the run was cut short', () => {
    const checks = complete(whole.filter(({ id }) => id !== 'WAL-03'));

    expect(narrownessOf({ ...question, checks })).toEqual(['There is no result of WAL-03.']);
    expect(narrownessOf({ ...question, checks, isCutShort: true })).toEqual([]);
    const selection = { ...all, skip: ['WAL-03'] };
    expect(narrownessOf({ ...question, checks, plan: { ...plan, selection } })).toEqual([]);
  });

  it.each<[string, Partial<Selection>, string]>([
    ['a check', { only: ['WAL-03', 'NO-SUCH'] }, 'Nothing is called NO-SUCH.'],
    ['a check left out', { skip: ['NONE-*'] }, 'Nothing is called NONE-*.'],
    ['an operation', { operations: ['GET /nowhere'] }, 'Nothing is called GET /nowhere.'],
  ])('names a pattern that selects nothing: %s', (_, part, sentence) => {
    const selection = { ...all, ...part };

    expect(narrownessOf({ ...question, plan: { ...plan, selection } })).toEqual([sentence]);
  });

  it.each([
    ['a selection', { ...plan, selection: { ...all, levels: ['MUST'] as const } }],
    ['a ceiling', { ...plan, ceiling: 'E1' as const }],
  ])('says that profile certify needs every check when %s left some out', (_, narrowed) => {
    expect(narrownessOf({ ...question, profile: 'certify', plan: narrowed })).toEqual([
      'Profile certify stands for every check; this run left some out.',
    ]);
  });
});
