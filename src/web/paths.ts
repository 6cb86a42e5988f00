/** Where the inspector stands. */
export const INSPECTOR_PATH = '/_emulator/ui';

/** Where the documentation of the interfaces stands. */
export const DOCUMENTATION_PATH = '/_emulator/docs';
