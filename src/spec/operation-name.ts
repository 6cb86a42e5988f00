import type { Finding } from '../domain/rules.ts';
import { didYouMean } from '../text/nearest.ts';
import type { InterfaceDocument } from './document.ts';

/** Finds an unknown operation name in a field. The finding suggests the nearest name. */
export function validateOperationName(
  name: string | null | undefined,
  { operations }: InterfaceDocument,
  field: string,
): Finding[] {
  if (name === undefined || name === null || operations.has(name)) return [];
  const hint = didYouMean(name, [...operations.keys()]);
  return [{ field, message: `There is no operation ${JSON.stringify(name)}.${hint}` }];
}
