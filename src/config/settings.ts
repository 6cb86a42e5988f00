import { LIMITS, type Limits } from '../domain/limits.ts';
import { didYouMean, shortenLiveKeys } from '../text/wording.ts';
import {
  apiKey,
  baseUrl,
  currency,
  durationOrNone,
  durationText,
  headerValue,
  lifetime,
  listOf,
  moment,
  oneOf,
  peerUrl,
  port,
  type SettingKind,
  text,
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

/** All settings: parser, default and description. Flags and environment variables are generated from this list. */
export const SETTINGS = {
  port: define(port, 24_100, 'Port to listen on; 0 picks a free one'),
  host: define(text, '127.0.0.1', 'Address to listen on'),
  tls: define(
    oneOf('off', 'self-signed'),
    'off',
    'Whether to serve https too, with a certificate by an authority that the emulator makes',
  ),
  tls_cert: define(text, '', 'File with the certificate (PEM) to serve https with'),
  tls_key: define(text, '', 'File with the key (PEM) of that certificate'),
  tls_port: define(port, 24_443, 'Port of https; 0 picks a free one'),
  public_url: define(baseUrl, '', "Base URL of links in responses; empty: the request's Host"),
  allowed_hosts: define(
    listOf(text),
    [],
    'Host names to accept, besides addresses and localhost; .example.com accepts every name under it',
  ),
  service_name: define(token, 'Service', 'Name from which header names are made'),
  keys: define(listOf(apiKey), [], 'The valid keys; empty: any well-formed one'),
  seed: define(text, 'billing-emulator', 'Seed from which identifiers are made'),
  secret: define(
    text,
    '',
    'Secret behind links, tokens and signing secrets; empty: the seed, or a random one if others have access',
  ),
  fixture: define(
    listOf(text),
    ['quickstart'],
    'Fixtures of the default world, in order: names, files, or folders of files; empty: none',
  ),
  sandbox_fixture: define(text, '', 'Fixture of every world but the default one'),
  clock: define(oneOf('real', 'frozen', 'offset'), 'real', 'Clock mode of new worlds'),
  clock_now: define(moment, '', 'Instant at which frozen and offset clocks start; empty: now'),
  unknown_fields: define(
    oneOf('reject', 'warn', 'ignore'),
    'reject',
    'What to do with fields that the OpenAPI document does not name',
  ),
  overdraft: define(oneOf('allow', 'deny'), 'allow', 'Whether charges may exceed the balance'),
  event_max_age: define(durationText, 'P34D', 'Maximum age of a usage event'),
  event_max_ahead: define(durationText, 'PT5M', 'How far in the future a usage event may occur'),
  past_due_usage: define(
    oneOf('bill', 'free'),
    'bill',
    'Whether usage is billed or free while a renewal is unpaid',
  ),
  reporting_currency: define(currency, 'USD', 'Currency of revenue, costs and margins'),
  top_up_credit_lifetime: define(durationOrNone, 'P1Y', 'How long credit from a top-up lasts'),
  payment_link_lifetime: define(
    lifetime,
    'PT24H',
    'How long the link of a payment or a top-up is valid',
  ),
  portal_link_lifetime: define(lifetime, 'PT10M', 'How long a portal link is valid'),
  retry_schedule: define(
    listOf(durationText),
    ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'],
    'Delay before each retry of a webhook delivery',
  ),
  webhook_ca: define(
    text,
    '',
    'File with authorities (PEM) to trust in webhook receivers, besides the usual ones',
  ),
  admin_token: define(
    headerValue,
    '',
    'Token for the control API; the word `none` allows access beyond loopback without one',
  ),
  without_token: define(
    listOf(oneOf('faults', 'inboxes')),
    [],
    'Parts of the control API that stay open without the token when admin_token is set',
  ),
  ui: define(oneOf('off', 'on'), 'on', 'Whether the inspector is served'),
  data: define(
    text,
    '',
    'File or PostgreSQL database (postgres://user@host/database?schema=name) that keeps the data; empty: memory only',
  ),
  advertise: define(
    peerUrl,
    '',
    'URL at which other emulators of the database reach this one; empty: host and port, unless host is loopback or every address',
  ),
  idle: define(
    lifetime,
    'PT15M',
    'After how long without requests and due work a world of a database leaves the memory',
  ),
  log_level: define(
    oneOf('silent', 'error', 'info', 'debug'),
    'info',
    'Level of detail in the log',
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Settings = {
  readonly [N in SettingName]: (typeof SETTINGS)[N] extends Definition<infer T> ? T : never;
} & { readonly limits: Limits };

/** Settings whose values are never shown. */
export const SECRET_SETTINGS: readonly SettingName[] = ['admin_token', 'keys', 'secret'];

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];
const VARIABLE_PREFIX = 'BILLING_EMULATOR_';

/** Thrown for unusable settings. It lists everything that is wrong. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly problems: readonly string[]) {
    super(shortenLiveKeys(problems.join('\n')));
  }
}

/** Settings by name. Values are text or already have their type. */
export type GivenSettings = Readonly<Record<string, unknown>>;

/** Settings in a program: by name, with typed values. Lists can also be text with commas. */
export type SettingsInput = {
  readonly [N in SettingName]?:
    | Settings[N]
    | (Settings[N] extends readonly string[] ? string : never)
    | undefined;
};

/**
 * Merges settings from several sources. The first source has priority, and defaults come last.
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
  return { ...values, limits: LIMITS } as unknown as Settings;
}

/** Variables with the same prefix that are not settings: the settings file, and values for clients of an emulator. */
const NO_SETTINGS = new Set(['config', 'url', 'key', 'webhook_secret', 'https_url']);

/** Returns the settings in environment variables. `SERVICE_NAME` works without the prefix. */
export function settingsOfVariables(
  env: Readonly<Record<string, string | undefined>>,
): GivenSettings {
  const given: Record<string, unknown> = {};
  if (env['SERVICE_NAME'] !== undefined) given['service_name'] = env['SERVICE_NAME'];
  for (const [name, value] of Object.entries(env)) {
    const setting = name.slice(VARIABLE_PREFIX.length).toLowerCase();
    if (name.startsWith(VARIABLE_PREFIX) && !NO_SETTINGS.has(setting)) given[setting] = value;
  }
  return given;
}

const unknownSetting = (name: string): string =>
  `Unknown setting ${name}.${didYouMean(name, SETTING_NAMES)}`;

function readValue(name: SettingName, value: unknown, problems: string[]): unknown {
  const { kind } = SETTINGS[name] as Definition<unknown>;
  const asText = Array.isArray(value) ? value.join(',') : String(value);
  const read = kind.read(asText);
  const got = SECRET_SETTINGS.includes(name) ? '' : `, got ${asText}`;
  if (read === undefined) problems.push(`Setting ${name}: expected ${kind.expects}${got}.`);
  return read;
}
