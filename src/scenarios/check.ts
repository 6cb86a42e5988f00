import { loadDocument, type OperationSpec } from '../spec/document.ts';
import { judgeFixture } from '../spec/fixture-schema.ts';
import { nearest } from '../text/nearest.ts';
import { findFormer } from './former-expectations.ts';
import { isBrokenReference, readReference } from './references.ts';
import type { CallStep, Place, Problem, Scenario, ScenarioStep } from './scenario.ts';

/** All that is wrong with a scenario before it is played: form, parameters, references, former answers. */
export function findProblems(scenario: unknown): readonly Problem[] {
  const findings = judgeFixture(scenario);
  if (findings.length > 0) return findings;
  const known = new Set<string>();
  const found = (scenario as Scenario).steps.flatMap((step, index) => {
    const place = ['steps', index];
    const before = [...('call' in step ? judgeCall(step, place) : [])];
    const { expect, ...parts } = step as ScenarioStep & { expect?: unknown };
    before.push(...judgeReferences(parts, known, place));
    if ('as' in step && step.as !== undefined) known.add(step.as);
    return [...before, ...judgeReferences(expect, known, [...place, 'expect'])];
  });
  return [...found, ...findFormer(scenario as Scenario)];
}

function judgeCall(step: CallStep, place: Place): readonly Problem[] {
  const operation = loadDocument('openapi').operations.get(step.call) as OperationSpec;
  const problems: Problem[] = [];
  for (const kind of ['path', 'query'] as const) {
    const specs = operation.parameters.filter((parameter) => parameter.in === kind);
    const names = specs.map(({ name }) => name);
    for (const name of Object.keys(step[kind] ?? {}))
      if (!names.includes(name))
        problems.push({ place: [...place, kind, name], message: unknown(step, kind, name, names) });
  }
  const needed = operation.parameters.filter((parameter) => parameter.in === 'path');
  for (const { name } of needed)
    if (step.path?.[name] === undefined)
      problems.push({ place: [...place, 'path'], message: `${step.call} needs path.${name}.` });
  if (step.body !== undefined && !operation.body)
    problems.push({ place: [...place, 'body'], message: `${step.call} takes no body.` });
  return problems;
}

function unknown(step: CallStep, kind: string, name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return `${step.call} has no ${kind} parameter ${name}.${hint}`;
}

/** References that cannot be read, or that name no earlier answer. */
function judgeReferences(value: unknown, known: ReadonlySet<string>, place: Place): Problem[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) =>
      judgeReferences(inner, known, [...place, key]),
    );
  if (typeof value !== 'string' || !value.startsWith('$')) return [];
  if (isBrokenReference(value)) return [{ place, message: `${value} cannot be read.` }];
  const reference = readReference(value);
  if (reference?.kind !== 'answer' || known.has(reference.name)) return [];
  const near = nearest(reference.name, [...known]);
  const hint = near === undefined ? '' : ` Did you mean $${near}?`;
  return [{ place, message: `${value} names no earlier answer.${hint}` }];
}
