import { didYouMean } from '../text/nearest.ts';
import {
  baseUrl,
  currency,
  durationOrNone,
  durationText,
  integer,
  lifetime,
  listOf,
  moment,
  oneOf,
  type SettingKind,
  text,
  toggle,
  token,
} from './setting-kinds.ts';

interface Definition<T> {
  readonly kind: SettingKind<T>;
  readonly preset: T;
  readonly about: string;
}

const define = <T>(kind: SettingKind<T>, preset: NoInfer<T>, about: string): Definition<T> => ({
  kind,
  preset,
  about,
});

/** Every setting: how it is read, its preset, what it does. Flags and variables are made from this. */
export const SETTINGS = {
  port: define(integer(0, 65_535), 24_100, 'Port to listen on; 0 takes any free one'),
  host: define(text, '127.0.0.1', 'Address to listen on'),
  public_url: define(baseUrl, '', "Base of the links in answers; empty: the request's own Host"),
  allowed_hosts: define(
    listOf(text),
    [],
    'Names under which others may reach it, beside addresses and local names; .example.com stands for all below',
  ),
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
  // As much as it may be: what an export writes can then be imported elsewhere without a setting.
  import_body_limit: define(
    integer(1, 1_073_741_824),
    1_073_741_824,
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
  event_max_age: define(durationText, 'P34D', 'How old a usage event may be'),
  event_max_ahead: define(durationText, 'PT5M', 'How far ahead a usage event may lie'),
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
    listOf(durationText),
    ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'],
    'Waits before each retry of a webhook delivery',
  ),
  admin_token: define(
    text,
    '',
    'Token of the control interface; the word `none` allows access beyond loopback without one',
  ),
  without_token: define(
    listOf(oneOf('faults', 'inboxes')),
    [],
    'What may be asked without admin_token where one is set',
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
const VARIABLE_PREFIX = 'BILLING_EMULATOR_';

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

const unknownSetting = (name: string): string =>
  `Unknown setting ${name}.${didYouMean(name, SETTING_NAMES)}`;

function readValue(name: SettingName, value: unknown, problems: string[]): unknown {
  const { kind } = SETTINGS[name] as Definition<unknown>;
  const asText = Array.isArray(value) ? value.join(',') : String(value);
  const read = kind.read(asText);
  if (read === undefined)
    problems.push(`Setting ${name}: expected ${kind.expects}, got ${asText}.`);
  return read;
}
