import createRouter from 'find-my-way';
import type { InterfaceDocument, OperationSpec } from '../spec/document.ts';
import { nearest } from '../text/wording.ts';

/** The result of a lookup by method and path. */
type Route =
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
  /** Says what a path without operations was probably meant to be. */
  hint(path: string): string;
  /** The methods of a path, as an Allow header lists them. Empty for an unknown path. */
  allow(path: string): string;
}

/** Long enough for a task id of 256 code points, each escaped. */
const LONGEST_PARAMETER = 8192;

/** The operations of one path by method, and the methods as an Allow header lists them. */
interface Resource {
  readonly operations: Map<string, OperationSpec>;
  readonly allow: string;
}

/** Creates a router from the document. A literal segment has priority over a parameter. @assumes A-201 */
export function routerOf(document: InterfaceDocument): Router {
  const router = createRouter({ maxParamLength: LONGEST_PARAMETER });
  const operations = [...document.operations.values()];
  for (const template of new Set(operations.map(({ path }) => path))) {
    const resource = resourceOf(operations.filter(({ path }) => path === template));
    router.on('GET', template.replaceAll(/\{(\w+)\}/g, ':$1'), () => {}, resource);
  }
  // The library would take an empty segment for a parameter; an identifier is never empty.
  const find = (path: string) =>
    path.endsWith('/') || path.includes('//') ? null : router.find('GET', path);

  const templates = [...new Set(operations.map(({ path }) => path))];
  return {
    hint(path) {
      const whole = path.replace(/\/+$/, '');
      if (whole !== path && find(whole)) return 'A path has no slash at its end.';
      if (find(path.replace(/^\/[^/]*/, ''))) return 'A path has no prefix such as /v1.';
      const near = nearest(
        path,
        templates.map((template) => likePath(template, path)),
      );
      const found = near && templates.find((template) => likePath(template, path) === near);
      return found ? `There is no such path. The nearest is ${found}.` : 'There is no such path.';
    },
    allow: (path) => (find(path)?.store as Resource | undefined)?.allow ?? '',
    find(method, path) {
      if (path.includes('%') && !isDecodable(path)) return { kind: 'malformed' };
      const match = find(path);
      if (!match) return { kind: 'unknown' };
      const { operations, allow } = match.store as Resource;
      const operation = operations.get(method);
      if (!operation) return { kind: 'other-method', allow };
      return { kind: 'operation', operation, path: match.params as Record<string, string> };
    },
  };
}

/** A template with the segments of a path in place of its parameters. */
function likePath(template: string, path: string): string {
  const segments = path.toLowerCase().split('/');
  return template
    .split('/')
    .map((segment, place) => (segment.startsWith('{') ? (segments[place] ?? '') : segment))
    .join('/');
}

/** HEAD is handled like GET. */
function resourceOf(listed: readonly OperationSpec[]): Resource {
  const operations = new Map(listed.map((operation) => [operation.method, operation]));
  const get = operations.get('GET');
  if (get) operations.set('HEAD', get);
  return { operations, allow: [...operations.keys(), 'OPTIONS'].sort().join(', ') };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The control API, without the pages, inboxes, listeners, metrics, authority and MCP server under the same prefix. */
const CONTROL_PATHS = /^\/_emulator\/(?!(ui|docs|inbox|metrics|relay|ca\.pem|mcp)(\/|$))/;
const PAGE_PATHS =
  /^\/(_emulator|hosted|livez|readyz|favicon\.ico|openapi(-without-webhooks)?\.json)(\/|$)/;

/**
 * Returns the part of the emulator that handles a path. Paths of neither control API nor pages are the
 * service's.
 */
export function routeKind(path: string): 'control' | 'page' | 'service' {
  if (CONTROL_PATHS.test(path)) return 'control';
  return path === '/' || PAGE_PATHS.test(path) ? 'page' : 'service';
}
