import { SETTINGS } from 'billing-emulator/internals';
import { describe, expect, it } from 'vitest';
import { allOperations } from './operations.ts';
import { registry } from './registry.ts';
import { gatherCases } from './selftest/cases.ts';

const { checks, requirements, assumptions } = registry();
const written = new Set((await gatherCases()).flatMap(({ ids }) => ids));
const operations = new Set(allOperations().map(({ id }) => id));

/** It is about all answers of a run, so no case is written for it. */
const WHOLE_RUN = 'X-22';

describe('the lists of what there is to check', () => {
  it('have no check that no requirement asks for', () => {
    const orphans = [...checks.values()].filter((check) => check.requirements.length === 0);

    expect(orphans.map(({ id }) => id)).toEqual([]);
  });

  it('have no requirement without a check or a reason', () => {
    const orphans = [...requirements.values()].filter(
      ({ checks: of, not_tested }) => of.length > 0 === (not_tested !== undefined),
    );

    expect(orphans.map(({ id }) => id)).toEqual([]);
  });

  it('name nothing that does not exist', () => {
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

  it('say of every assumed check and requirement on which decision it rests', () => {
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

  it('let no check that is stated rest on assumed requirements alone', () => {
    const bold = [...checks.values()].filter(
      ({ level, requirements: cited }) =>
        level === 'MUST' && cited.every((id) => requirements.get(id)?.level === 'ASSUMED'),
    );

    expect(bold.map(({ id }) => id)).toEqual([]);
  });
});
