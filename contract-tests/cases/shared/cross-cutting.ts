import { allOperations, type OperationId, operationOf, unknownId } from '../../kit/index.ts';

export const operations = allOperations();

export const writes = operations.filter(({ method }) => method !== 'GET');

export const idOf = ({ id }: { readonly id: string }) => id as OperationId;

/** Path parameters of an operation, all with unknown ids. */
export function nowhere(operation: OperationId): Record<string, string> {
  const names = [...operationOf(operation).path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return Object.fromEntries(names.map((name) => [name as string, unknownId('none')]));
}
