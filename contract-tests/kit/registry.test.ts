import { SETTINGS } from 'billing-emulator';
import { describe, expect, it } from 'vitest';
import { check, gather, gatherCases } from './check.ts';
import { allOperations } from './operations.ts';
import { citations, registry } from './registry.ts';
import './run/whole-run.ts';
import { planOfOurs } from './plan.ts';
import { beginSession, currentSession } from './target/session.ts';

// As another test file of the worker can have imported it.
await gather(() => import('../cases/vendors.test.ts'));
const gathered = await gatherCases();
const { checks, requirements, assumptions } = registry();
const operations = new Set(allOperations().map(({ id }) => id));

describe('the registry', () => {
  it('has one check for each id', () => {
    const ids = gathered.map(({ id }) => id);

    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
  });

  it('has the checks of a case file that was imported before', () => {
    expect(gathered.map(({ id }) => id)).toContain('VND-04');
  });

  it('has either checks or a not_tested reason for every requirement', () => {
    const cited = citations();
    const orphans = [...requirements.values()].filter(
      ({ id, not_tested }) => cited.has(id) === (not_tested !== undefined),
    );

    expect(orphans.map(({ id }) => id)).toEqual([]);
  });

  it('names only existing requirements, operations, assumptions and settings', () => {
    const unknown = [
      ...[...requirements.values()].flatMap((requirement) =>
        [requirement.operations].flat().filter((id) => id !== 'all' && !operations.has(id)),
      ),
      ...[...checks.values()].flatMap((check) => [
        ...check.requirements.filter((id) => !requirements.has(id)),
        ...check.assumes.filter((id) => !assumptions.has(id)),
      ]),
      ...[...assumptions.values()].flatMap(({ settings = [] }) =>
        settings.filter((name) => !(name in SETTINGS)),
      ),
    ];

    expect(unknown).toEqual([]);
  });

  it('names an assumption for every ASSUMED check', () => {
    const silent = [...checks.values()].filter(
      ({ level, assumes }) => level === 'ASSUMED' && assumes.length === 0,
    );

    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it('has a requirement for every operation', () => {
    const named = new Set([...requirements.values()].flatMap((one) => one.operations));

    expect([...operations].filter((id) => !named.has(id))).toEqual([]);
  });
});

const CLOSED = 'http://127.0.0.1:9';

// As a test of the kit leaves it to the next file of the worker.
beginSession(planOfOurs({ baseUrl: CLOSED, key: 'key_test_x' }));

check(
  'KIT-01',
  { requirement: 'R-VND-01', effect: 'E0' },
  'does not use the target of an earlier test of the kit',
  async () => {
    expect(currentSession().plan.target.baseUrl).not.toBe(CLOSED);
  },
);
