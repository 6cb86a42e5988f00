import { describe, expect, it } from 'vitest';
import { aRecord } from '../../testing/records.ts';
import type { Selection } from '../plan.ts';
import { registry } from '../registry.ts';
import { complete } from './complete.ts';
import { narrownessOf } from './narrow.ts';

const all: Selection = { only: [], skip: [], operations: [], levels: [] };
const plan = { selection: all, ceiling: 'E4' } as const;
const lists = registry();
const whole = [...lists.checks.keys()].map((id) => aRecord({ ids: [id] }));
const question = { checks: complete(whole), plan, profile: 'full', isCutShort: false } as const;

describe('narrownessOf', () => {
  it('returns nothing for a complete run', () => {
    expect(narrownessOf(question)).toEqual([]);
    expect(narrownessOf({ ...question, profile: 'certify' })).toEqual([]);
  });

  it('names selected checks without a case, unless the run was cut short', () => {
    const checks = complete(whole.filter(({ ids }) => !ids.includes('WAL-03')));

    expect(narrownessOf({ ...question, checks })).toEqual(['No case was found for WAL-03.']);
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

  it('names checks without a requirement, and requirements without a check', () => {
    const requirements = new Map([...lists.requirements].slice(0, 3));
    const checks = new Map([...lists.checks].filter(([id]) => id !== 'WAL-03'));
    const uncited = new Map([
      ['X-01', { ...(lists.checks.get('X-01') as never as object), requirements: [] } as never],
    ]);

    expect(
      narrownessOf({ ...question, lists: { requirements: new Map(), checks: uncited } })[0],
    ).toBe('No requirement was found for X-01.');
    const cut = narrownessOf({ ...question, lists: { requirements, checks: new Map() } });
    expect(cut.join()).toContain('No check was found for ');
    expect(narrownessOf({ ...question, lists: { requirements, checks } })).toEqual([]);
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
