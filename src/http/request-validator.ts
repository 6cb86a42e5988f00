import type { ErrorObject } from 'ajv';
import type { Settings } from '../config/settings.ts';
import { type Finding, finding, refuseAll } from '../domain/rules.ts';
import type { Json } from '../spec/document.ts';
import { describeErrors, isNotEmulated } from '../spec/findings.ts';
import { findBadText, judgeBytes, readBody, readQuery, Unreadable } from './input.ts';
import type { StepContext, ValidatedCall } from './request-context.ts';

/**
 * The call of a request, converted to the types of the document.
 *
 * @throws Unreadable for what cannot be understood, RuleViolation with all findings of the body
 */
export function validateRequest(context: StepContext): ValidatedCall {
  return { path: context.path, query: validQuery(context), body: validBody(context) };
}

function validQuery({ api, operation, rawRequest }: StepContext): Json {
  const query = readQuery(rawRequest.search, operation);
  const errors = api.validators.query(operation)(query);
  if (errors.length > 0) {
    const findings = describeErrors(errors);
    throw new Unreadable(findings.map(({ field, message }) => `${field}: ${message}`).join(' '));
  }
  return query;
}

function validBody({ api, operation, rawRequest, body: bytes }: StepContext): unknown {
  if (!operation.body) return undefined;
  if (bytes.length === 0 && !operation.body.required) return undefined;
  const type = rawRequest.headers['content-type'];
  if (operation.body.isRaw) {
    judgeBytes(bytes, type);
    return bytes;
  }
  const { settings } = api;
  const body = readBody(bytes, type);
  refuseAll(findBatchOverflow(operation.body.batchLimits, body, settings));
  const errors = api.validators.body(operation)(body);
  const judged = settings.unknown_fields === 'reject' ? errors : dropUnknown(errors, body);
  if (judged.length > 0 || bytes.includes('\\u'))
    refuseAll([...describeErrors(judged), ...findBadText(bytes, body)]);
  return body;
}

/** A batch over the limit is refused as a whole, before its events are looked at. @assumes A-801 */
function findBatchOverflow(
  limits: Readonly<Record<string, string>>,
  body: Json,
  settings: Settings,
): Finding[] {
  return Object.entries(limits).flatMap(([field, setting]) => {
    const list = body[field];
    return Array.isArray(list) && list.length > settings[setting as 'batch_limit']
      ? [finding('event.batch_too_large', field)]
      : [];
  });
}

/** Takes unknown fields out of a body; answers the other findings. @assumes A-203 */
function dropUnknown(errors: readonly ErrorObject[], body: unknown): readonly ErrorObject[] {
  const unknown = errors.filter(
    (error) =>
      error.keyword === 'additionalProperties' &&
      !isNotEmulated(error, error.params['additionalProperty'] as string),
  );
  for (const { instancePath, params } of unknown) {
    const steps = instancePath.split('/').slice(1);
    const holder = steps.reduce<unknown>(
      (value, step) => (value as Json)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      body,
    );
    delete (holder as Record<string, unknown>)[params['additionalProperty'] as string];
  }
  return errors.filter((error) => !unknown.includes(error));
}
