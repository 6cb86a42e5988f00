import type { Finding } from '../domain/rules.ts';
import type { InterfaceDocument } from '../spec/document.ts';
import { nearest } from '../text/nearest.ts';

/** What is wrong with the name of an operation that stands in a field, with the nearest that there is. */
export function judgeOperationName(
  name: string | null | undefined,
  { operations }: InterfaceDocument,
  field: string,
): Finding[] {
  if (name === undefined || name === null || operations.has(name)) return [];
  const near = nearest(name, [...operations.keys()]);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return [{ field, message: `There is no operation ${JSON.stringify(name)}.${hint}` }];
}
