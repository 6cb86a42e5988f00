/** The control interface, without the pages, inboxes and metrics under the same prefix. */
const CONTROL_PATHS = /^\/_emulator\/(?!(ui|docs|inbox|metrics)(\/|$))/;
const PAGE_PATHS =
  /^\/(_emulator|hosted|livez|readyz|favicon\.ico|openapi(-without-webhooks)?\.(json|yaml))(\/|$)/;

/**
 * Returns the part of the emulator that handles a path. Paths of neither control interface nor pages are the
 * service's.
 */
export function routeKind(path: string): 'control' | 'page' | 'service' {
  if (CONTROL_PATHS.test(path)) return 'control';
  return path === '/' || PAGE_PATHS.test(path) ? 'page' : 'service';
}
