import { type Validators, validatorsOf } from 'billing-emulator/spec';
import { layers } from '../layers.ts';
import { type LooseParts, type OperationId, operationOf } from '../operations.ts';
import { UnusableAnswer } from '../outcome.ts';

let validators: Validators | undefined;

/**
 * Validates a request that the target should accept against the document.
 *
 * @throws UnusableAnswer when the request is invalid, because it uses values from the target's responses
 */
export function validateRequest(operation: OperationId, { body, raw, query }: LooseParts): void {
  if (raw !== undefined) return;
  validators ??= validatorsOf(layers().closed);
  const spec = operationOf(operation);
  const given = Object.fromEntries(
    Object.entries(query ?? {}).filter(([, value]) => value !== undefined),
  );
  const findings = [
    ...(Object.keys(given).length > 0 ? validators.query(spec)(given) : []),
    ...(spec.body && (body !== undefined || spec.body.required) ? validators.body(spec)(body) : []),
  ];
  if (findings.length === 0) return;
  const texts = findings.map(
    ({ instancePath, keyword }) => `${instancePath || '/'} breaks ${keyword}`,
  );
  throw new UnusableAnswer(
    `The suite would send a wrong ${operation} request: ${texts.join('; ')}`,
  );
}
