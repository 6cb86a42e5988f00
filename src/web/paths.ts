/** Path of the inspector. */
export const INSPECTOR_PATH = '/_emulator/ui';

/** Path of the API documentation. */
export const DOCUMENTATION_PATH = '/_emulator/docs';

/** Paths of the service's OpenAPI document for generators, as an Express pattern. */
export const SERVED_DOCUMENTS = '/openapi{-without-webhooks}.:format';
