import { parseDuration, parseInstant } from '../domain/instant.ts';
import { nearest } from '../text/nearest.ts';

/** How the text of a setting is read, and what is said when it cannot be. */
interface Kind<T> {
  readonly expects: string;
  /** All values there are, where they can be counted. */
  readonly choices?: readonly T[];
  /** What it accepts in a settings file, as a JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  read(text: string): T | undefined;
}

const TEXT = { type: 'string' };
const text: Kind<string> = { expects: 'text', schema: TEXT, read: (value) => value };
const TOKEN = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
const token: Kind<string> = {
  expects: 'an HTTP token of letters, digits and hyphens',
  schema: { ...TEXT, pattern: TOKEN.source },
  read: (value) => (TOKEN.test(value) ? value : undefined),
};
const duration: Kind<string> = {
  expects: 'a duration such as P1Y, PT24H or 30d',
  schema: TEXT,
  read: (value) => (parseDuration(value) ? value : undefined),
};
const lifetime: Kind<string> = {
  expects: 'a duration of at least a second such as PT24H or 30m',
  schema: TEXT,
  read: (value) => ((parseDuration(value)?.toMillis() ?? 0) >= 1_000 ? value : undefined),
};
const durationOrNone: Kind<string> = {
  expects: `${duration.expects}, or none`,
  schema: TEXT,
  read: (value) => (value === 'none' ? value : duration.read(value)),
};
const CURRENCY = /^[A-Z]{3}$/;
const currency: Kind<string> = {
  expects: 'a currency code of three capitals',
  schema: { ...TEXT, pattern: CURRENCY.source },
  read: (value) => (CURRENCY.test(value) ? value : undefined),
};
const moment: Kind<string> = {
  expects: 'a date-time such as 2026-01-31T10:00:00Z',
  schema: TEXT,
  read: (value) => (value === '' ? value : parseInstant(value)),
};
const toggle: Kind<boolean> = {
  expects: 'true or false',
  schema: { type: 'boolean' },
  read: (value) => (['true', 'false'].includes(value) ? value === 'true' : undefined),
};
const baseUrl: Kind<string> = {
  expects: 'an http or https address without path',
  schema: TEXT,
  read: (value) =>
    value === '' || /^https?:\/\/[^/\s]+\/?$/.test(value) ? value.replace(/\/$/, '') : undefined,
};

function integer(least: number, most: number): Kind<number> {
  return {
    expects: `a whole number from ${least} to ${most}`,
    schema: { type: 'integer', minimum: least, maximum: most },
    read(value) {
      const number = Number(value);
      return /^\d{1,15}$/.test(value) && number >= least && number <= most ? number : undefined;
    },
  };
}

function oneOf<const C extends string>(...choices: readonly C[]): Kind<C> {
  return {
    expects: `one of ${choices.join(', ')}`,
    choices,
    schema: { enum: choices },
    read: (value) => choices.find((choice) => choice === value),
  };
}

function listOf(kind: Kind<string>): Kind<readonly string[]> {
  return {
    expects: `a comma-separated list, each ${kind.expects}`,
    schema: { type: ['array', 'string'], items: kind.schema },
    read(value) {
      const parts = value.split(',').filter((part) => part !== '');
      return parts.every((part) => kind.read(part) !== undefined) ? parts : undefined;
    },
  };
}

interface Definition<T> {
  readonly kind: Kind<T>;
  readonly preset: T;
  readonly about: string;
}

const define = <T>(kind: Kind<T>, preset: NoInfer<T>, about: string): Definition<T> => ({
  kind,
  preset,
  about,
});

/** Every setting: how it is read, its preset, what it does. Flags and variables are made from this. */
export const SETTINGS = {
  port: define(integer(0, 65_535), 24_100, 'Port to listen on; 0 takes any free one'),
  host: define(text, '127.0.0.1', 'Address to listen on'),
  public_url: define(baseUrl, '', "Base of the links in answers; empty: the request's own Host"),
  service_name: define(token, 'Service', 'Name that forms the header names'),
  keys: define(oneOf('open', 'listed'), 'open', 'Whether any well-formed key opens a world'),
  key_list: define(listOf(text), [], 'The keys that are valid when keys is listed'),
  max_sandboxes: define(integer(1, 1_000_000), 10_000, 'How many sandboxes may be open at once'),
  seed: define(text, 'billing-emulator', 'What identifiers, secrets and tokens are derived from'),
  fixture: define(text, 'quickstart', 'Fixture of the default world; empty for none'),
  sandbox_fixture: define(text, '', 'Fixture that every other world opens with'),
  init: define(text, '', 'Folder of fixtures that the default world plays too, in order of name'),
  clock: define(oneOf('real', 'frozen', 'offset'), 'real', 'How the clocks of new worlds run'),
  clock_now: define(moment, '', 'Where frozen and offset clocks start; empty: now'),
  max_due_items: define(integer(1, 100_000_000), 1_000_000, 'Most due items of one advance'),
  request_log: define(integer(0, 1_000_000), 500, 'How many exchanges are kept for each world'),
  request_log_bytes: define(
    integer(0, 1_073_741_824),
    67_108_864,
    'Most bytes of exchanges kept for all worlds together',
  ),
  body_limit: define(integer(1, 1_073_741_824), 1_048_576, 'Largest request body in bytes'),
  events_body_limit: define(integer(1, 1_073_741_824), 8_388_608, 'Largest body of POST /events'),
  import_body_limit: define(
    integer(1, 1_073_741_824),
    268_435_456,
    'Largest body of POST /_emulator/import',
  ),
  batch_limit: define(integer(1, 1_000_000), 1_000, 'Most usage events of one request'),
  unknown_fields: define(
    oneOf('reject', 'warn', 'ignore'),
    'reject',
    'What happens to fields the document does not name',
  ),
  check_responses: define(toggle, true, 'Whether every answer is checked against the document'),
  faults: define(oneOf('on', 'off'), 'on', 'Whether faults on purpose can be asked for'),
  overdraft: define(oneOf('allow', 'deny'), 'allow', 'Whether charges may exceed the balance'),
  event_max_age: define(duration, 'P34D', 'How old a usage event may be'),
  event_max_ahead: define(duration, 'PT5M', 'How far ahead a usage event may lie'),
  past_due_usage: define(
    oneOf('bill', 'free'),
    'bill',
    'Whether a subscription whose renewal was not paid goes on billing usage',
  ),
  reporting_currency: define(currency, 'USD', 'Currency of revenue, costs and margins'),
  top_up_credit_lifetime: define(durationOrNone, 'P1Y', 'How long credit of a top-up lasts'),
  top_up_link_lifetime: define(lifetime, 'PT24H', 'How long a top-up link lives'),
  payment_link_lifetime: define(lifetime, 'PT24H', 'How long a payment link lives'),
  portal_link_lifetime: define(lifetime, 'PT10M', 'How long a portal link lives'),
  webhook_time: define(
    oneOf('machine', 'world'),
    'machine',
    'Whose time of dispatch webhook signatures name',
  ),
  retry_schedule: define(
    listOf(duration),
    ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'],
    'Waits before each retry of a webhook delivery',
  ),
  admin_token: define(
    text,
    '',
    'Token of the control interface; none allows access beyond loopback',
  ),
  ui: define(oneOf('off', 'read-only', 'on'), 'on', 'Whether the inspector is served'),
  data: define(text, '', 'File that keeps the data; empty: memory only'),
  data_mode: define(
    oneOf('on-exit', 'interval', 'on-commit'),
    'on-exit',
    'When the data file is written',
  ),
  log_level: define(oneOf('silent', 'error', 'info', 'debug'), 'info', 'How much is logged'),
  log_format: define(oneOf('text', 'json'), 'text', 'How log lines are written'),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Settings = {
  readonly [N in SettingName]: (typeof SETTINGS)[N] extends Definition<infer T> ? T : never;
};

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];
export const VARIABLE_PREFIX = 'BILLING_EMULATOR_';

/** Settings that cannot be used, all that is wrong with them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** Settings as given: by name, values as text or already of their type. */
export type GivenSettings = Readonly<Record<string, unknown>>;

/**
 * Reads settings from several givers, the first of which wins, over the presets.
 *
 * @throws SettingsError naming every unknown setting, with the nearest name, and every unusable value
 */
export function readSettings(...givers: readonly GivenSettings[]): Settings {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) values[name] = SETTINGS[name].preset;
  for (const giver of [...givers].reverse()) {
    for (const [name, value] of Object.entries(giver)) {
      if (value === undefined) continue;
      if (!Object.hasOwn(SETTINGS, name)) problems.push(unknownSetting(name));
      else values[name] = readValue(name as SettingName, value, problems);
    }
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return values as unknown as Settings;
}

/** Variables with the same prefix that tell clients where an emulator is. */
const FOR_CLIENTS = new Set(['url', 'key', 'webhook_secret']);

/** The settings among environment variables; `SERVICE_NAME` stands for its prefixed form. */
export function settingsOfVariables(
  env: Readonly<Record<string, string | undefined>>,
): GivenSettings {
  const given: Record<string, unknown> = {};
  if (env['SERVICE_NAME'] !== undefined) given['service_name'] = env['SERVICE_NAME'];
  for (const [name, value] of Object.entries(env)) {
    const setting = name.slice(VARIABLE_PREFIX.length).toLowerCase();
    if (name.startsWith(VARIABLE_PREFIX) && !FOR_CLIENTS.has(setting)) given[setting] = value;
  }
  return given;
}

function unknownSetting(name: string): string {
  const near = nearest(name, SETTING_NAMES);
  return `Unknown setting ${name}.${near ? ` Did you mean ${near}?` : ''}`;
}

function readValue(name: SettingName, value: unknown, problems: string[]): unknown {
  const { kind } = SETTINGS[name] as Definition<unknown>;
  const asText = Array.isArray(value) ? value.join(',') : String(value);
  const read = kind.read(asText);
  if (read === undefined)
    problems.push(`Setting ${name}: expected ${kind.expects}, got ${asText}.`);
  return read;
}
