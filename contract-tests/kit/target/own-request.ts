import { type Validators, validatorsOf } from 'billing-emulator/spec';
import { layers } from '../layers.ts';
import { type LooseParts, type OperationId, operationOf } from '../operations.ts';
import { HarnessError } from '../outcome.ts';

let validators: Validators | undefined;

/**
 * Checks a request of ours that should be accepted against the document.
 *
 * @throws HarnessError when we are about to send something wrong
 */
export function judgeRequest(operation: OperationId, { body, raw, query }: LooseParts): void {
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
  throw new HarnessError(`The suite's own ${operation} request is wrong: ${texts.join('; ')}`);
}
