import type { AnyOperationId } from '../../spec/operations.ts';
import type { TestCallParts } from '../client.ts';

/** Sends a request of either interface and returns the response body, whatever its status. */
// biome-ignore lint/suspicious/noExplicitAny: A session reads the fields it expects; its recording judges the answers.
export type Ask = (operation: AnyOperationId, parts?: Omit<TestCallParts, 'key'>) => Promise<any>;

/** A UUID as a client makes one, by what it is for and its count. */
export const uuid = (kind: number, count: number): string =>
  `00000000-0000-4000-8000-${String(kind).padStart(4, '0')}${String(count).padStart(8, '0')}`;
