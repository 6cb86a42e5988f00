import type { AnyOperationId } from '../../spec/operations.ts';

/** Sends a request of either interface, and answers the body of what came back, whatever its status. */
// biome-ignore lint/suspicious/noExplicitAny: A session reads the fields it expects; its recording judges the answers.
export type Ask = (operation: AnyOperationId, parts?: AskParts) => Promise<any>;

export interface AskParts {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A UUID as a client makes one, by what it is for and its count. */
export const uuid = (kind: number, count: number): string =>
  `00000000-0000-4000-8000-${String(kind).padStart(4, '0')}${String(count).padStart(8, '0')}`;
