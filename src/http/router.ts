import createRouter, { type HTTPMethod } from 'find-my-way';
import type { InterfaceDocument, OperationSpec } from '../spec/document.ts';

/** Where a method and path lead. */
export type Route =
  | {
      readonly kind: 'operation';
      readonly operation: OperationSpec;
      readonly path: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'other-method'; readonly allow: string }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'unknown' };

export interface Router {
  find(method: string, path: string): Route;
  /** The methods that a path answers, as an Allow header lists them; empty for an unknown path. */
  allow(path: string): string;
}

/** Long enough for a task id of 256 code points, each escaped. */
const LONGEST_PARAMETER = 8192;

/** A router filled from the document; a literal segment wins over a parameter. */
export function routerOf(document: InterfaceDocument): Router {
  const router = createRouter({ maxParamLength: LONGEST_PARAMETER });
  const methods = new Set<HTTPMethod>();
  for (const operation of document.operations.values()) {
    const method = operation.method as HTTPMethod;
    methods.add(method);
    router.on(method, operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), () => {}, operation);
  }

  const allow = (path: string): string => {
    const found = [...methods].filter((method) => router.find(method, path));
    if (found.length === 0) return '';
    const head = found.includes('GET') ? ['HEAD'] : [];
    return [...found, ...head, 'OPTIONS'].sort().join(', ');
  };

  return {
    allow,
    find(method, path) {
      const asked = method === 'HEAD' ? 'GET' : method;
      if (path.includes('%') && !isDecodable(path)) return { kind: 'malformed' };
      const match = methods.has(asked as HTTPMethod)
        ? router.find(asked as HTTPMethod, path)
        : null;
      if (match) {
        return {
          kind: 'operation',
          operation: match.store as OperationSpec,
          path: match.params as Record<string, string>,
        };
      }
      const allowed = allow(path);
      return allowed === '' ? { kind: 'unknown' } : { kind: 'other-method', allow: allowed };
    },
  };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
