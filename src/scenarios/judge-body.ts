import { loadDocument, type OperationSpec } from '../spec/document.ts';
import { describeErrors } from '../spec/findings.ts';
import { valueAt } from '../spec/pointer.ts';
import type { BrokenRule } from '../spec/validate.ts';
import { validatorsOf } from '../spec/validators.ts';
import { serialise } from '../text/exact-json.ts';
import { mapTexts } from './map-texts.ts';
import { referencesIn, withCount } from './references.ts';
import { type CallStep, type Place, type Problem, stepsOfField } from './scenario.ts';

/** How fields that the document does not name are handled. */
export type UnknownFields = 'reject' | 'warn' | 'ignore';

/**
 * Finds what is wrong with the body of a step before the run. Values that depend on references are checked in
 * the run.
 */
export function judgeBody(
  step: CallStep,
  operation: OperationSpec,
  place: Place,
  unknownFields: UnknownFields,
): Problem[] {
  const { body: spec } = operation;
  const status = typeof step.expect === 'object' ? step.expect.status : step.expect;
  const isRefused = status !== undefined && status >= 300;
  if (isRefused || step.body === undefined || !spec || spec.isRaw || spec.isVerbatim) return [];
  const body: unknown = JSON.parse(serialise(counted(step.body)).text);
  const document = loadDocument(operation.effect === undefined ? 'control' : 'openapi');
  const errors = validatorsOf(document).body(operation)(body);
  const refused = certain(errors, body).filter(
    ({ keyword }) => unknownFields === 'reject' || keyword !== 'additionalProperties',
  );
  return describeErrors(refused).map(({ field, message }) => ({
    place: [...place, ...stepsOfField(field)],
    message: `${field}: ${message}`,
  }));
}

/** A copy with the values of the first repetition. */
const counted = (value: unknown): unknown => mapTexts(value, (text) => withCount(text, 1));

/** Keywords about fields, whatever their values. */
const OF_FIELDS = new Set(['required', 'additionalProperties']);
/** Keywords that select schemas by values. */
const CHOICES = new Set(['anyOf', 'oneOf', 'not', 'if']);

function certain(errors: readonly BrokenRule[], body: unknown): readonly BrokenRule[] {
  const isOpen = ({ instancePath }: BrokenRule) => restsOnReference(valueAt(body, instancePath));
  const undecided = errors.filter((error) => CHOICES.has(error.keyword) && isOpen(error));
  return errors.filter(
    (error) =>
      (OF_FIELDS.has(error.keyword) || !isOpen(error)) &&
      !undecided.some(({ instancePath }) => error.instancePath.startsWith(instancePath)),
  );
}

function restsOnReference(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('$') || referencesIn(value).length > 0;
  return typeof value === 'object' && value !== null && Object.values(value).some(restsOnReference);
}
