import { SettingsError } from './settings.ts';

/** Whether a setting names a PostgreSQL database and not a file. */
export const isDatabase = (data: string): boolean => /^postgres(ql)?:\/\//.test(data);

/** The address of a database without its password and parameters. @throws SettingsError when it cannot be read */
export function shownName(address: string): string {
  try {
    const { username, host, pathname } = new URL(address);
    return `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`;
  } catch {
    throw new SettingsError([
      'Setting data: expected postgres://user@host/database or the name of a file.',
    ]);
  }
}
