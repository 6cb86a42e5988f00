import { SETTINGS } from 'billing-emulator/internals';
import { describe, expect, it } from 'vitest';
import { gatherCases } from '../selftest/cases.ts';
import { allOperations } from './operations.ts';
import { registry } from './registry.ts';

const { checks, requirements, assumptions } = registry();
const written = new Set((await gatherCases()).flatMap(({ ids }) => ids));
const operations = new Set(allOperations().map(({ id }) => id));

/** It judges all responses of a run, so it has no case. */
const WHOLE_RUN = 'X-22';

describe('the lists of checks and requirements', () => {
  it('have a requirement for every check', () => {
    const orphans = [...checks.values()].filter((check) => check.requirements.length === 0);

    expect(orphans.map(({ id }) => id)).toEqual([]);
  });

  it('have either checks or a not_tested reason for every requirement', () => {
    const orphans = [...requirements.values()].filter(
      ({ checks: of, not_tested }) => of.length > 0 === (not_tested !== undefined),
    );

    expect(orphans.map(({ id }) => id)).toEqual([]);
  });

  it('name only existing checks, operations, assumptions and settings', () => {
    const unknown = [...requirements.values()].flatMap((requirement) => [
      ...requirement.checks.filter((id) => !checks.has(id)),
      ...[requirement.operations].flat().filter((id) => id !== 'all' && !operations.has(id)),
      ...[requirement.assumption ?? []].flat().filter((id) => !assumptions.has(id)),
    ]);
    const ofChecks = [...checks.values()].flatMap(({ assumption }) =>
      assumption.filter((id) => !assumptions.has(id)),
    );
    const settings = [...assumptions.values()].flatMap((assumption) =>
      (assumption.settings ?? []).filter((name) => !(name in SETTINGS)),
    );

    expect([...unknown, ...ofChecks, ...settings]).toEqual([]);
  });

  it('name an assumption for every ASSUMED check and requirement', () => {
    const silent = [
      ...[...checks.values()].filter(
        ({ level, assumption }) => level === 'ASSUMED' && assumption.length === 0,
      ),
      ...[...requirements.values()].filter(
        ({ level, assumption }) => (level === 'ASSUMED') !== (assumption !== undefined),
      ),
    ];

    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it('have a requirement for every operation', () => {
    const named = new Set([...requirements.values()].flatMap(({ operations }) => operations));

    expect([...operations].filter((id) => !named.has(id))).toEqual([]);
  });

  it('have a case for every check', () => {
    const missing = [...checks.keys()].filter((id) => !written.has(id) && id !== WHOLE_RUN);

    expect(missing).toEqual([]);
  });

  it('have no MUST check whose requirements are all ASSUMED', () => {
    const bold = [...checks.values()].filter(
      ({ level, requirements: cited }) =>
        level === 'MUST' && cited.every((id) => requirements.get(id)?.level === 'ASSUMED'),
    );

    expect(bold.map(({ id }) => id)).toEqual([]);
  });
});
