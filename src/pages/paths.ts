import { DEFAULT_KEY } from '../config/access.ts';

export const INSPECTOR_PATH = '/_emulator/ui';

export const DOCUMENTATION_PATH = '/_emulator/docs';

/** Paths of the service's OpenAPI document for generators, as an Express pattern. */
export const SERVED_DOCUMENTS = '/openapi{-without-webhooks}.json';

/** The pages of the inspector, by name, with their paths below its own. Routing and links use this table. */
export const PAGE_PATHS = {
  overview: '/',
  requests: '/requests',
  request: '/requests/:id',
  webhooks: '/webhooks',
  webhookEvent: '/webhooks/:id',
  customers: '/customers',
  profit: '/customers/profit',
  customer: '/customers/:id',
  usage: '/events',
  event: '/events/:id',
  ledger: '/ledger',
  products: '/products',
  product: '/products/:id',
  time: '/time',
  compare: '/time/compare',
  send: '/send',
  find: '/go',
} as const;

export type PageName = keyof typeof PAGE_PATHS;

/** The paths of the API reference below its own. */
export const REFERENCE_PATHS = {
  openapi: '/',
  control: '/control',
  assumptions: '/assumptions',
  operation: '/operations/:id',
} as const;

/** Returns the address of a page of the API reference, with examples for the world of a key. */
export function referencePath(
  page: keyof typeof REFERENCE_PATHS,
  { id = '', key = DEFAULT_KEY } = {},
): string {
  const path = REFERENCE_PATHS[page].replace(':id', encodeURIComponent(id)).replace(/\/$/, '');
  return `${DOCUMENTATION_PATH}${path}${key === DEFAULT_KEY ? '' : `?key=${key}`}`;
}
