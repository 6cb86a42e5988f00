import { describe, expect, it } from 'vitest';
import { aRecord } from '../../testing/records.ts';
import { notLookedAt, notRunInWords } from './terminal.ts';

const notRun = (id: string, reason: string, outcome: 'not_selected' | 'not_observable') =>
  aRecord({ id, outcome, reason });

describe('notLookedAt', () => {
  const about = (resource: string, requirement: string, outcome: 'pass' | 'not_selected') =>
    aRecord({ id: `${resource}${requirement}`, resource, requirements: [requirement], outcome });

  it('names what no check that ran looks at', () => {
    const checks = [
      about('events', 'R-EVT-01', 'pass'),
      about('events', 'R-EVT-45', 'not_selected'),
      about('wallets', 'R-WAL-34', 'not_selected'),
    ];

    expect(notLookedAt(checks)).toBe(
      '2 checks did not run, among them all about amounts and wallets',
    );
  });

  it('counts alone when each subject was looked at, and is empty when all ran', () => {
    const ran = about('tasks', 'R-TSK-01', 'pass');

    expect(notLookedAt([ran, about('tasks', 'R-TSK-01', 'not_selected')])).toBe(
      '1 check did not run',
    );
    expect(notLookedAt([ran])).toBe('');
  });
});

describe('notRunInWords', () => {
  it('counts the checks of each reason, the most frequent first, and names the first three', () => {
    const lines = notRunInWords([
      aRecord(),
      aRecord({ outcome: 'untestable', reason: 'too few' }),
      notRun('POR-06', 'needs a receiver', 'not_observable'),
      ...['VND-01', 'VND-02', 'VND-03', 'VND-04'].map((id) =>
        notRun(id, `uses up too many: ${id}`, 'not_selected'),
      ),
    ]);

    expect(lines).toEqual([
      '4: uses up too many (VND-01, VND-02, VND-03, …)',
      '1: needs a receiver (POR-06)',
    ]);
  });

  it('joins the rarest of more than twelve reasons', () => {
    const reasons = Array.from({ length: 14 }, (_, place) => `reason ${place}`);
    const lines = notRunInWords(reasons.map((reason) => notRun('VND-01', reason, 'not_selected')));

    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toBe('2: other reasons, in the run record (VND-01, VND-01)');
  });
});
