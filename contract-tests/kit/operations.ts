import type {
  Call,
  InterfaceDocument,
  OperationId,
  OperationSpec,
  Reply,
} from 'billing-emulator/spec';
import { layers } from './layers.ts';
import { UnusableResponse } from './outcome.ts';

export type { OperationId };

/** The response statuses of an operation. */
export type Status<Id extends OperationId> = Reply<Id>['status'] & number;

/** The response body of an operation for a status. */
export type Body<Id extends OperationId, S> = Extract<Reply<Id>, { readonly status: S }>['body'];

/** The parts of a request, typed by the document. */
export interface CallParts<Id extends OperationId> {
  readonly path?: Call<Id>['path'];
  readonly query?: Call<Id>['query'];
  readonly body?: Call<Id>['body'];
}

/** The parts of a request, untyped, so that a check can send invalid ones. */
export interface LooseParts {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Sent unchanged in place of the body, for example broken JSON. */
  readonly raw?: string | Uint8Array;
  readonly contentType?: string;
  /** A key other than the run's; null sends no key. */
  readonly key?: string | null;
  /** The connected account to act for. */
  readonly actingFor?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Leaves path characters unescaped where the URL syntax allows it, such as a colon. */
  readonly isPlainPath?: boolean;
  /** Inserts the path's values unchanged, even if the URL becomes invalid. */
  readonly isRawPath?: boolean;
  /** A safe method in place of the operation's. Its responses are not validated against the document. */
  readonly method?: 'HEAD' | 'OPTIONS';
  /**
   * A path in place of the operation's; only its method is used. Its responses are not validated against the document.
   */
  readonly address?: string;
}

/** The operation with an id. @throws Error when there is none */
export function operationOf(id: OperationId): OperationSpec {
  const operation = layers().assumed.operations.get(id);
  if (!operation) throw new Error(`There is no operation ${id}`);
  return operation;
}

/** All operations, in the document's order. */
export const allOperations = (): readonly OperationSpec[] => [
  ...layers().assumed.operations.values(),
];

/** Method and path of an operation as text, such as `GET /customers`; empty for an empty id. */
export function requestOf(operation: string): string {
  if (operation === '') return '';
  const { method, path } = operationOf(operation as OperationId);
  return `${method} ${path}`;
}

/**
 * The operation that a request is for, with the values in its path as sent; undefined if there is none. A literal segment has
 * priority over a parameter.
 */
export function findOperation(document: InterfaceDocument, method: string, path: string) {
  const wanted = method === 'HEAD' ? 'GET' : method;
  for (const { operation, pattern } of patternsOf(document)) {
    const match = operation.method === wanted ? pattern.exec(path) : null;
    if (match) return { operation, values: { ...match.groups } };
  }
  return undefined;
}

const patterns = new WeakMap<InterfaceDocument, ReturnType<typeof readPatterns>>();

function patternsOf(document: InterfaceDocument) {
  const known = patterns.get(document) ?? readPatterns(document);
  patterns.set(document, known);
  return known;
}

const readPatterns = ({ operations }: InterfaceDocument) =>
  [...operations.values()]
    .map((operation) => ({
      operation,
      pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      // Sorted behind every literal segment.
      order: operation.path.replaceAll(/\{\w+\}/g, '~'),
    }))
    .sort((left, right) => (left.order < right.order ? -1 : 1));

/** The resource (tag) of an operation in the document, such as `Wallets`. */
export const resourceOf = ({ json }: OperationSpec): string => (json['tags'] as [string])[0];

/** The path of an operation with its parameters filled in, percent-encoded. */
export function fillPath(
  { path }: OperationSpec,
  { path: values = {}, isPlainPath = false, isRawPath = false, address }: LooseParts,
): string {
  if (address !== undefined) return address;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new UnusableResponse(`${path} needs ${name}`);
    if (isRawPath) return String(value);
    return isPlainPath ? encodeURI(String(value)) : encodeURIComponent(String(value));
  });
}
