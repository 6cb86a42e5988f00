import { describe, expect, it } from 'vitest';
import { anExchange, aRecord } from '../../testing/records.ts';
import { decideExit, type VerdictQuestion } from './verdict.ts';

const answered = aRecord({ exchanges: [anExchange()] });
const good: VerdictQuestion = {
  checks: [answered],
  found: { verdict: 'answered' },
  selection: { only: [], skip: [] },
  leftovers: [],
  endedBy: undefined,
  crashes: [],
};
const failing = aRecord({ outcome: 'fail', exchanges: [anExchange()] });
const silent = aRecord({ outcome: 'untestable', notes: ['the target stopped answering'] });

describe('decideExit', () => {
  it.each<[string, Partial<VerdictQuestion>, number]>([
    ['a check that passed', {}, 0],
    [
      'confirmed and refuted assumptions',
      { checks: [answered, aRecord({ outcome: 'refuted' })] },
      0,
    ],
    [
      'a known failure beside one that passed',
      { checks: [answered, aRecord({ outcome: 'known' })] },
      0,
    ],
    ['a failure', { checks: [failing] }, 1],
    [
      'an untestable check beside one that passed',
      { checks: [answered, aRecord({ outcome: 'untestable' })] },
      1,
    ],
    ['a pattern that selects nothing', { selection: { only: ['NO-SUCH'], skip: [] } }, 15],
    [
      'too few objects for a check',
      {
        checks: [answered, aRecord({ outcome: 'untestable', notes: ['too few'] })],
      },
      15,
    ],
    ['a stale baseline', { checks: [answered, aRecord({ outcome: 'stale' })] }, 1],
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
    ['the deadline', { endedBy: 'deadline', checks: [failing] }, 124],
    ['an interruption', { endedBy: 'signal' }, 130],
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
