/** The control interface, without the pages, inboxes and metrics that stand below the same prefix. */
const CONTROL_PATHS = /^\/_emulator\/(?!(ui|docs|inbox|metrics)(\/|$))/;
const PAGE_PATHS =
  /^\/(_emulator|hosted|livez|readyz|openapi(-without-webhooks)?\.(json|yaml))(\/|$)/;

/** Whose path it is: the control interface's, a page's, or else the service's, whose document may name it. */
export function ownerOfPath(path: string): 'control' | 'page' | 'service' {
  if (CONTROL_PATHS.test(path)) return 'control';
  return path === '/' || PAGE_PATHS.test(path) ? 'page' : 'service';
}
