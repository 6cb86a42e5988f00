/** Where the inspector stands. */
export const INSPECTOR_PATH = '/_emulator/ui';

/** Where the documentation of the interfaces stands. */
export const DOCUMENTATION_PATH = '/_emulator/docs';

/** Where the document of the service stands for generators, as a pattern of Express. */
export const SERVED_DOCUMENTS = '/openapi{-without-webhooks}.:format';
