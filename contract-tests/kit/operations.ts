import type { Call, OperationId, OperationSpec, Reply } from 'billing-emulator/spec';
import { layers } from './layers.ts';
import { UnusableAnswer } from './outcome.ts';

export type { OperationId };

/** Statuses that an operation answers. */
export type Status<Id extends OperationId> = Reply<Id>['status'] & number;

/** What an operation answers with a status. */
export type Body<Id extends OperationId, S> = Extract<Reply<Id>, { readonly status: S }>['body'];

/** The parts of a request, as the document types them. */
export interface CallParts<Id extends OperationId> {
  readonly path?: Call<Id>['path'];
  readonly query?: Call<Id>['query'];
  readonly body?: Call<Id>['body'];
}

/** The parts of a request that may be wrong on purpose. */
export interface LooseParts {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Sent as it stands instead of a body, such as broken JSON. */
  readonly raw?: string | Uint8Array;
  readonly contentType?: string;
  /** Another key than the run's; null for none at all. */
  readonly key?: string | null;
  /** Connected account to act for. */
  readonly actingFor?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Leaves characters of the path unescaped that need no escape, such as a colon. */
  readonly isPlainPath?: boolean;
  /** Puts the path's values in as they stand, however broken. */
  readonly isRawPath?: boolean;
  /** Another method than the operation's, one that changes nothing: its answers are not judged by the document. */
  readonly method?: 'HEAD' | 'OPTIONS';
  /** Another path than the operation's, of which it lends the method alone: its answers are not judged by the document. */
  readonly address?: string;
}

/**
 * The operation with an id.
 *
 * @throws Error when there is none
 */
export function operationOf(id: OperationId): OperationSpec {
  const operation = layers().assumed.operations.get(id);
  if (!operation) throw new Error(`There is no operation ${id}`);
  return operation;
}

/** All operations, in the document's order. */
export function allOperations(): readonly OperationSpec[] {
  return [...layers().assumed.operations.values()];
}

/** Method and path of an operation, for people. */
export function requestOf(operation: string): string {
  if (operation === '') return '';
  const { method, path } = operationOf(operation as OperationId);
  return `${method} ${path}`;
}

/** The resource that the document files an operation under, such as `Wallets`. */
export const resourceOf = ({ json }: OperationSpec): string => (json['tags'] as [string])[0];

/** The path of an operation with its parameters filled in, percent-encoded. */
export function fillPath(
  { path }: OperationSpec,
  { path: values = {}, isPlainPath = false, isRawPath = false, address }: LooseParts,
): string {
  if (address !== undefined) return address;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new UnusableAnswer(`${path} needs ${name}`);
    if (isRawPath) return String(value);
    return isPlainPath ? encodeURI(String(value)) : encodeURIComponent(String(value));
  });
}
