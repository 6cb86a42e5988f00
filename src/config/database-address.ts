import { SettingsError } from './settings.ts';

/** Whether a setting names a PostgreSQL database and not a file. */
export const isDatabase = (data: string): boolean => /^postgres(ql)?:\/\//.test(data);

/** The address of a database without its password and parameters. @throws SettingsError when it cannot be read */
export function shownName(address: string): string {
  const { username, host, pathname } = readAddress(address);
  return `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

/** The schema that has the tables of the emulator. @throws SettingsError when the address or the name cannot be read */
export function schemaOf(address: string): string {
  const schema = readAddress(address).searchParams.get('schema') ?? 'billing_emulator';
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return schema;
  const expected = 'a name of lower-case letters, digits and underscores';
  throw new SettingsError([`Setting data: expected as schema ${expected}, got ${schema}.`]);
}

function readAddress(address: string): URL {
  try {
    return new URL(address);
  } catch {
    throw new SettingsError([
      'Setting data: expected postgres://user@host/database or the name of a file.',
    ]);
  }
}
