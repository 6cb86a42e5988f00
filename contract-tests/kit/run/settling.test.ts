import { describe, expect, it } from 'vitest';
import { anExchange, aRecord } from '../../testing/runs.ts';
import { gatherCases } from '../check.ts';
import { type CheckRecord, nameOfCheck } from '../check-record.ts';
import { citations, registry } from '../registry.ts';
import { causesOf } from './causes.ts';
import { assumptionSummaries, requirementRecords } from './summarise.ts';
import { decideExit, type VerdictQuestion } from './verdict.ts';
import { complete } from './whole-run.ts';

await gatherCases();

const failure = {
  operation: 'adjustWallet',
  status: 500,
  differences: ['status: the service says 500, expected 201'],
  curl: 'curl',
};

describe('complete', () => {
  it('returns a record for every listed check, with or without a case', () => {
    const checks = complete([aRecord({ exchanges: [anExchange()] })]);

    expect(checks).toHaveLength(registry().checks.size);
    expect(checks.filter(({ outcome }) => outcome === 'pass').map(nameOfCheck)).toEqual([
      'WAL-03 an adjustment',
      expect.stringContaining('X-22'),
    ]);
  });

  it('fails X-22 when the shape of one response is wrong', () => {
    const shape = {
      kind: 'broken',
      operation: 'getWallet',
      status: 200,
      finding: 'accounts is missing',
      assumptions: [],
    } as const;
    const checks = complete([aRecord({ exchanges: [anExchange()], shapes: [shape] })]);
    const whole = checks.find(({ id }) => id === 'X-22');

    expect(whole?.outcome).toBe('fail');
    expect(whole?.failure?.differences).toEqual(['getWallet 200: accounts is missing']);
  });
});

describe('requirementRecords', () => {
  it('marks a requirement as met only when all of its checks passed', () => {
    const [id, [one, other] = []] = [...citations()].find(([, ids]) => ids.length === 2) ?? [];
    const outcomeOf = (...outcomes: CheckRecord['outcome'][]) =>
      requirementRecords(
        outcomes.map((outcome, place) => aRecord({ id: [one, other][place] as string, outcome })),
      ).find((requirement) => requirement.id === id)?.outcome;

    expect(outcomeOf('pass', 'pass')).toBe('met');
    expect(outcomeOf('pass', 'not_selected')).toBe('partial');
    expect(outcomeOf('pass', 'fail')).toBe('broken');
    expect(outcomeOf('not_selected')).toBe('not_run');
  });
});

describe('causesOf', () => {
  it('groups failures with the same requirement and difference', () => {
    const checks = ['WAL-03', 'WAL-04', 'WAL-05'].map((id) =>
      aRecord({ id, title: id, outcome: 'fail', failure }),
    );
    const causes = causesOf(checks);

    expect(causes).toHaveLength(1);
    expect(causes[0]).toMatchObject({
      requirement: 'R-WAL-28',
      difference: 'status: the service says 500, expected 201',
    });
    expect(causes[0]?.checks).toHaveLength(3);
  });
});

describe('the cause of failures', () => {
  it.each([
    [
      'a field missing at the root and in items',
      ['amount is missing', 'items[].fees[].amount is missing'],
    ],
    [
      'wrong values of one field',
      [
        'event.fees[1].amount: the service says 0, expected 0.0015425',
        'row 2: fees[0].amount: the service leaves it out, expected 2',
      ],
    ],
    ['a field of a wrong type', ['id is not string', 'items[].id is not string']],
  ])('is one for %s, in whichever operation', (_, differences) => {
    const checks = differences.map((difference, place) =>
      aRecord({
        id: `WAL-0${place}`,
        outcome: 'fail',
        failure: { ...failure, operation: `operation${place}`, differences: [difference] },
      }),
    );

    expect(causesOf(checks)).toHaveLength(1);
  });

  it('is another for another field of another operation', () => {
    const checks = ['getWallet', 'getEvent'].map((operation, place) => {
      const differences = [`${'ab'[place]} is missing`];
      return aRecord({ outcome: 'fail', failure: { ...failure, operation, differences } });
    });

    expect(causesOf(checks)).toHaveLength(2);
  });
});

describe('assumptionSummaries', () => {
  it('marks an assumption as refuted by one check, and as unobserved without a check', () => {
    const summaries = assumptionSummaries([
      aRecord({ assumptions: [{ id: 'A-703', verdict: 'confirmed', detail: undefined }] }),
      aRecord({ assumptions: [{ id: 'A-703', verdict: 'refuted', detail: 'expected 422' }] }),
      aRecord({ assumptions: [{ id: 'A-704', verdict: 'confirmed', detail: undefined }] }),
    ]);
    const verdictOf = (wanted: string) => summaries.find(({ id }) => id === wanted)?.verdict;

    expect([verdictOf('A-703'), verdictOf('A-704'), verdictOf('A-705')]).toEqual([
      'refuted',
      'confirmed',
      'unobserved',
    ]);
  });
});

const answered = aRecord({ exchanges: [anExchange()] });
const good: VerdictQuestion = {
  checks: [answered],
  found: { verdict: 'answered' },
  leftovers: [],
  isInterrupted: false,
  crashes: [],
};
const failing = aRecord({ outcome: 'fail', exchanges: [anExchange()] });
const silent = aRecord({ outcome: 'untestable', notes: ['the target stopped responding'] });

describe('decideExit', () => {
  it.each<[string, Partial<VerdictQuestion>, number]>([
    ['a check that passed', {}, 0],
    [
      'confirmed and refuted assumptions',
      { checks: [answered, aRecord({ outcome: 'refuted' })] },
      0,
    ],
    ['a failure', { checks: [failing] }, 1],
    [
      'an untestable check beside one that passed',
      { checks: [answered, aRecord({ outcome: 'untestable' })] },
      1,
    ],
    ['an unstable check', { checks: [answered, aRecord({ outcome: 'unstable' })] }, 0],
    ['a safety stop', { checks: [failing, aRecord({ notes: ['safety stop'] })] }, 10],
    ['no check', { checks: [] }, 12],
    ['nothing selected', { checks: [aRecord({ outcome: 'not_selected' })] }, 12],
    ['nothing observable', { checks: [aRecord({ outcome: 'not_observable' })] }, 12],
    ['all untestable', { checks: [aRecord({ outcome: 'untestable' })] }, 12],
    ['no success at all', { checks: [aRecord()] }, 12],
    ['no success and a failure', { checks: [aRecord({ outcome: 'fail' })] }, 12],
    ['a target out of reach', { found: { verdict: 'refused' }, checks: [] }, 13],
    ['a target that went away', { checks: [answered, failing, silent] }, 13],
    ['leftovers', { leftovers: ['createWebhook dst_1'] }, 14],
    ['leftovers and a failure', { leftovers: ['createWebhook dst_1'], checks: [failing] }, 1],
    ['an error of the suite', { checks: [failing, aRecord({ outcome: 'harness_error' })] }, 70],
    ['a crash', { crashes: ['cannot import'] }, 70],
    ['an interruption', { isInterrupted: true }, 130],
  ])('returns the exit code for %s', (_, change, code) => {
    expect(decideExit({ ...good, ...change }).code).toBe(code);
  });

  it('lists all reasons that apply, starting with the one that decides', () => {
    const { reasons } = decideExit({
      ...good,
      checks: [failing, aRecord({ outcome: 'harness_error' })],
      leftovers: ['createWebhook dst_1'],
    });

    expect(reasons.map(({ code }) => code)).toEqual([70, 1, 14]);
  });
});
