export const INSPECTOR_PATH = '/_emulator/ui';

export const DOCUMENTATION_PATH = '/_emulator/docs';

/** Paths of the service's OpenAPI document for generators, as an Express pattern. */
export const SERVED_DOCUMENTS = '/openapi{-without-webhooks}.:format';
