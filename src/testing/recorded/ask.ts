import type { AnyOperationId } from '../../spec/operations.ts';
import type { TestCallParts } from '../client.ts';

/** Sends a request of either interface and returns the response body, whatever its status. */
// biome-ignore lint/suspicious/noExplicitAny: A session reads the fields it expects; its recording checks the responses.
export type Ask = (operation: AnyOperationId, parts?: Omit<TestCallParts, 'key'>) => Promise<any>;

/** A fixed UUID, as a client would send, from its kind and number. */
export const uuid = (kind: number, count: number): string =>
  `00000000-0000-4000-8000-${String(kind).padStart(4, '0')}${String(count).padStart(8, '0')}`;
