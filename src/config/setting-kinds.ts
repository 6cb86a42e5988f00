import { parseClockTime, parseDuration } from '../domain/instant.ts';

/** How the text of a setting is parsed, and what the error says. */
export interface SettingKind<T> {
  readonly expects: string;
  /** All valid values, if there is a fixed list. */
  readonly choices?: readonly T[];
  read(text: string): T | undefined;
}

export const text: SettingKind<string> = { expects: 'text', read: (value) => value };
const matching = (pattern: RegExp, expects: string): SettingKind<string> => ({
  expects,
  read: (value) => (pattern.test(value) ? value : undefined),
});
export const token = matching(
  /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
  'an HTTP token of letters, digits and hyphens',
);
/** Clients can send nothing else unchanged in a header; a secret from a file often ends with a line break. */
export const headerValue = matching(
  /^[!-~]*$/,
  'text of ASCII characters, without spaces or line breaks',
);
/** The form of an API key: its environment, and the name of its sandbox. @assumes A-103 */
export const API_KEY = /^key_(test|live)_([a-z0-9][a-z0-9-]{0,62})$/;
export const apiKey = matching(API_KEY, 'a key, key_test_NAME or key_live_NAME');
/** A duration of at least some milliseconds. */
const lasting = (least: number, expects: string): SettingKind<string> => ({
  expects,
  read: (value) => ((parseDuration(value)?.toMillis() ?? -1) >= least ? value : undefined),
});
export const durationText = lasting(0, 'a duration such as P1Y, PT24H or 30d');
export const lifetime = lasting(1_000, 'a duration of at least a second such as PT24H or 30m');
export const durationOrNone: SettingKind<string> = {
  expects: `${durationText.expects}, or none`,
  read: (value) => (value === 'none' ? value : durationText.read(value)),
};
export const currency = matching(/^[A-Z]{3}$/, 'a currency code of three upper-case letters');
export const moment: SettingKind<string> = {
  expects: 'a date-time from 1970 to 9999 such as 2026-01-31T10:00:00Z',
  read: (value) => (value === '' ? value : parseClockTime(value)),
};
export const baseUrl: SettingKind<string> = {
  expects: 'an http or https URL without a path',
  read: (value) =>
    value === '' || /^https?:\/\/[^/\s]+\/?$/.test(value) ? value.replace(/\/$/, '') : undefined,
};

/** The address of another emulator, which is reached by http. */
export const peerUrl: SettingKind<string> = {
  expects: 'an http URL without a path, such as http://10.0.0.7:24100',
  read: (value) => (/^(http:\/\/[^/\s@]+\/?)?$/.test(value) ? value.replace(/\/$/, '') : undefined),
};

export const port: SettingKind<number> = {
  expects: 'a whole number from 0 to 65535',
  read: (value) =>
    /^\d{1,15}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined,
};

export function oneOf<const C extends string>(...choices: readonly C[]): SettingKind<C> {
  return {
    expects: `one of ${choices.join(', ')}`,
    choices,
    read: (value) => choices.find((choice) => choice === value),
  };
}

export function listOf(kind: SettingKind<string>): SettingKind<readonly string[]> {
  return {
    expects: `a comma-separated list, each ${kind.expects}`,
    read(value) {
      const parts = value.split(',').filter((part) => part !== '');
      return parts.every((part) => kind.read(part) !== undefined) ? parts : undefined;
    },
  };
}
