import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import {
  readSettings,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  SettingsError,
  settingsOfVariables,
} from './settings.ts';

function problemsOf(...givers: readonly Record<string, unknown>[]): readonly string[] {
  try {
    readSettings(...givers);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

/** A text that a setting accepts, and the value parsed from it. The value is not the default. */
type Example = readonly [text: string, value: unknown];

const EXAMPLES: Readonly<Partial<Record<SettingName, Example>>> = {
  port: ['0', 0],
  host: ['0.0.0.0', '0.0.0.0'],
  public_url: ['https://billing.example.com/', 'https://billing.example.com'],
  service_name: ['Acme-Billing', 'Acme-Billing'],
  keys: ['key_test_a,key_live_a', ['key_test_a', 'key_live_a']],
  seed: ['7', '7'],
  advertise: ['http://10.0.0.7:24100/', 'http://10.0.0.7:24100'],
  fixture: ['a,b.yaml', ['a', 'b.yaml']],
  sandbox_fixture: ['quickstart', 'quickstart'],
  clock: ['frozen', 'frozen'],
  clock_now: ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00.000Z'],
  unknown_fields: ['warn', 'warn'],
  overdraft: ['deny', 'deny'],
  event_max_age: ['30d', '30d'],
  event_max_ahead: ['PT1H', 'PT1H'],
  past_due_usage: ['free', 'free'],
  reporting_currency: ['EUR', 'EUR'],
  top_up_credit_lifetime: ['none', 'none'],
  payment_link_lifetime: ['2h', '2h'],
  portal_link_lifetime: ['15m', '15m'],
  retry_schedule: ['1s,PT1M', ['1s', 'PT1M']],
  admin_token: ['none', 'none'],
  allowed_hosts: ['billing.example.com,.example.org', ['billing.example.com', '.example.org']],
  without_token: ['faults,inboxes', ['faults', 'inboxes']],
  ui: ['read-only', 'read-only'],
  data: ['/tmp/data.json', '/tmp/data.json'],
  log_level: ['debug', 'debug'],
};

/** Examples of every kind, for settings without their own example. */
const EXAMPLES_OF_KINDS: readonly Example[] = [
  ['true', true],
  ['false', false],
  ['7', 7],
  ['8', 8],
  ['PT42M', 'PT42M'],
  ['EUR', 'EUR'],
  ['2026-01-31T08:00:00.000Z', '2026-01-31T08:00:00.000Z'],
  ['https://billing.example.com', 'https://billing.example.com'],
  ['PT42M', ['PT42M']],
];

/** @throws Error naming a setting that needs an example of its own */
function exampleOf(name: SettingName): Example {
  const { kind, preset } = SETTINGS[name];
  const choices = (kind.choices ?? []).map((choice): Example => [String(choice), choice]);
  const example =
    EXAMPLES[name] ??
    [...choices, ...EXAMPLES_OF_KINDS].find(
      ([text, value]) =>
        typeof value === typeof preset && value !== preset && kind.read(text) !== undefined,
    );
  if (!example) throw new Error(`${name} needs a line in EXAMPLES`);
  return example;
}

const SCHEMA = new URL('../../spec/settings.schema.json', import.meta.url);
const judge = new Ajv2020({ allowUnionTypes: true }).compile(
  JSON.parse(readFileSync(SCHEMA, 'utf8')),
);

describe('readSettings', () => {
  it('returns the defaults when nothing is given', () => {
    expect(readSettings()).toMatchObject({
      port: 24_100,
      service_name: 'Service',
      fixture: ['quickstart'],
      retry_schedule: ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'],
    });
  });

  it.each(SETTING_NAMES)('accepts a value of %s that spec/settings.schema.json accepts', (name) => {
    const [, value] = exampleOf(name);

    expect([judge({ [name]: value }), judge({ [name]: null })]).toEqual([true, false]);
    expect(readSettings({ [name]: value })[name]).toEqual(value);
  });

  it.each(SETTING_NAMES)('parses the default of %s from its text form', (name) => {
    const { preset } = SETTINGS[name];
    const text = Array.isArray(preset) ? preset.join(',') : String(preset);

    expect(readSettings({ [name]: text })[name]).toEqual(preset);
  });

  it.each(SETTING_NAMES)('parses %s from text', (name) => {
    const [text, value] = exampleOf(name);
    const settings = readSettings({ [name]: text });

    expect(settings[name]).toEqual(value);
    expect(settings).toEqual({ ...readSettings(), [name]: value });
  });

  it('accepts values that already have their type', () => {
    const given = { port: 8080, retry_schedule: ['1s', '2s'] };

    expect(readSettings(given)).toMatchObject(given);
  });

  it('gives priority to the first argument and ignores undefined values', () => {
    const settings = readSettings(
      { port: 1, host: undefined },
      { port: '2', host: 'h' },
      { port: 3 },
    );

    expect(settings).toMatchObject({ port: 1, host: 'h' });
  });

  it.each([
    ['prot', 'Unknown setting prot. Did you mean port?'],
    ['retry_scedule', 'Unknown setting retry_scedule. Did you mean retry_schedule?'],
    ['PORT', 'Unknown setting PORT. Did you mean port?'],
    ['completely_different', 'Unknown setting completely_different.'],
    ['__proto__x', 'Unknown setting __proto__x.'],
    ['constructor', 'Unknown setting constructor.'],
  ])('rejects the unknown setting %s', (name, problem) => {
    expect(problemsOf({ [name]: '1' })).toEqual([problem]);
  });

  it.each([
    ['port', '65536', 'Setting port: expected a whole number from 0 to 65535, got 65536.'],
    ['port', '-1', 'Setting port: expected a whole number from 0 to 65535, got -1.'],
    ['port', '', 'Setting port: expected a whole number from 0 to 65535, got .'],
    ['clock', 'stopped', 'Setting clock: expected one of real, frozen, offset, got stopped.'],
    [
      'clock_now',
      '1969-12-31T23:59:59Z',
      'Setting clock_now: expected a date-time from 1970 to 9999 such as 2026-01-31T10:00:00Z, ' +
        'got 1969-12-31T23:59:59Z.',
    ],
    [
      'admin_token',
      'from a file\n',
      'Setting admin_token: expected text of ASCII characters, without spaces or line breaks.',
    ],
    [
      'retry_schedule',
      '5s,soon',
      'Setting retry_schedule: expected a comma-separated list, ' +
        'each a duration such as P1Y, PT24H or 30d, got 5s,soon.',
    ],
    [
      'event_max_age',
      '-P34D',
      'Setting event_max_age: expected a duration such as P1Y, PT24H or 30d, got -P34D.',
    ],
    [
      'public_url',
      'https://example.com/billing',
      'Setting public_url: expected an http or https URL without a path, ' +
        'got https://example.com/billing.',
    ],
    [
      'service_name',
      'My Service',
      'Setting service_name: expected an HTTP token of letters, digits and hyphens, ' +
        'got My Service.',
    ],
  ])('rejects %s with the value %o', (name, text, problem) => {
    expect(problemsOf({ [name]: text })).toEqual([problem]);
  });

  it('reports all problems of all arguments at once', () => {
    const problems = problemsOf({ prot: 1, clock: 'stopped' }, { ui: 'maybe', seed: 'fine' });

    expect([...problems].sort()).toEqual([
      'Setting clock: expected one of real, frozen, offset, got stopped.',
      'Setting ui: expected one of off, read-only, on, got maybe.',
      'Unknown setting prot. Did you mean port?',
    ]);
  });
});

describe('settingsOfVariables', () => {
  it('returns the variables with the prefix under their lower-case names', () => {
    expect(
      settingsOfVariables({ BILLING_EMULATOR_PORT: '8080', BILLING_EMULATOR_UI: 'off', PATH: '/' }),
    ).toEqual({ port: '8080', ui: 'off' });
  });

  it('returns a misspelt name, which readSettings rejects with the nearest one', () => {
    expect(problemsOf(settingsOfVariables({ BILLING_EMULATOR_PROT: '1' }))).toEqual([
      'Unknown setting prot. Did you mean port?',
    ]);
  });

  it('reads SERVICE_NAME without the prefix, if the prefixed variable is not set', () => {
    expect(settingsOfVariables({ SERVICE_NAME: 'Acme' })).toEqual({ service_name: 'Acme' });
    expect(
      settingsOfVariables({ BILLING_EMULATOR_SERVICE_NAME: 'Prefixed', SERVICE_NAME: 'Acme' }),
    ).toEqual({ service_name: 'Prefixed' });
  });
});
