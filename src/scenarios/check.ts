import { loadDocument, type OperationSpec } from '../spec/document.ts';
import { judgeFixture } from '../spec/fixture-schema.ts';
import { didYouMean, nearest } from '../text/nearest.ts';
import { findFormer } from './former-expectations.ts';
import { judgeBody, type UnknownFields } from './judge-body.ts';
import { readReference, referencesIn, withCount } from './references.ts';
import type { CallStep, Place, Problem, Scenario } from './scenario.ts';

/**
 * Finds everything wrong with a scenario before it runs: form, parameters, bodies, references, responses of
 * release 0.1.0.
 */
export function findProblems(scenario: unknown, unknownFields: UnknownFields): readonly Problem[] {
  if (isDeeper(scenario, DEEPEST))
    return [{ place: [], message: `It is nested deeper than ${DEEPEST}, or in itself.` }];
  const findings = judgeFixture(scenario);
  const { steps } = (scenario ?? {}) as Partial<Scenario>;
  if (!Array.isArray(steps)) return findings;
  const misshapen = new Set(findings.map(({ place: [list, index] }) => `${list} ${index}`));
  const known = new Set<string>();
  const found = (steps as Scenario['steps']).flatMap((step, index) => {
    const place = ['steps', index];
    const { as, expect, ...parts } = (step ?? {}) as Partial<CallStep>;
    const isWhole = !misshapen.has(place.join(' '));
    const before = isWhole ? judgeReferences(parts, known, place) : [];
    if (typeof as === 'string') known.add(as);
    if (!isWhole) return [];
    const after = judgeReferences(expect, known, [...place, 'expect']);
    return [...('call' in step ? judgeCall(step, place, unknownFields) : []), ...before, ...after];
  });
  return [...findings, ...found, ...(findings.length > 0 ? [] : findFormer(scenario as Scenario))];
}

/** Deeper than any request can be. */
const DEEPEST = 100;

/** Whether a value is nested deeper than `levels`. Each level holds an object once, however many aliases lead to it. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = new Set([value].filter(isNested));
  for (let left = levels; left > 0 && level.size > 0; left -= 1)
    level = new Set([...level].flatMap((outer) => Object.values(outer)).filter(isNested));
  return level.size > 0;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

function judgeCall(step: CallStep, place: Place, unknownFields: UnknownFields): readonly Problem[] {
  const operation = operationNamed(step.call) as OperationSpec;
  const problems: Problem[] = [];
  for (const kind of ['path', 'query'] as const) {
    const specs = operation.parameters.filter((parameter) => parameter.in === kind);
    const names = specs.map(({ name }) => name);
    for (const name of Object.keys(step[kind] ?? {}))
      if (!names.includes(name))
        problems.push({
          place: [...place, kind, name],
          message: `${step.call} has no ${kind} parameter ${name}.${didYouMean(name, names)}`,
        });
  }
  const needed = operation.parameters.filter((parameter) => parameter.in === 'path');
  for (const { name } of needed)
    if (step.path?.[name] === undefined)
      problems.push({ place: [...place, 'path'], message: `${step.call} needs path.${name}.` });
  if (step.body !== undefined && !operation.body)
    problems.push({ place: [...place, 'body'], message: `${step.call} takes no body.` });
  return [...problems, ...judgeBody(step, operation, [...place, 'body'], unknownFields)];
}

/** Returns an operation of the service, or a recorded operation of the control interface. */
export function operationNamed(id: string): OperationSpec | undefined {
  const own = loadDocument('control').operations.get(id);
  return loadDocument('openapi').operations.get(id) ?? (own?.isRecorded ? own : undefined);
}

/** Finds references that cannot be parsed, or that name no earlier response. */
function judgeReferences(value: unknown, known: ReadonlySet<string>, place: Place): Problem[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) =>
      judgeReferences(inner, known, [...place, key]),
    );
  if (typeof value !== 'string') return [];
  return referencesIn(String(withCount(value, 1))).flatMap((text) => {
    const reference = readReference(text);
    if (!reference) return [{ place, message: `${value} cannot be read.` }];
    if (reference.kind !== 'answer' || known.has(reference.name)) return [];
    const near = nearest(reference.name, [...known]);
    const hint = near === undefined ? '' : ` Did you mean $${near}?`;
    return [{ place, message: `${text} names no earlier response.${hint}` }];
  });
}
