import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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

/** Of settings that read a text as another value, or a list. */
const EXAMPLES: Readonly<Partial<Record<SettingName, Example>>> = {
  public_url: ['https://billing.example.com/', 'https://billing.example.com'],
  keys: ['key_test_a,key_live_a', ['key_test_a', 'key_live_a']],
  advertise: ['http://10.0.0.7:24100/', 'http://10.0.0.7:24100'],
  fixture: ['a,b.yaml', ['a', 'b.yaml']],
  clock_now: ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00.000Z'],
  retry_schedule: ['1s,PT1M', ['1s', 'PT1M']],
  allowed_hosts: ['billing.example.com,.example.org', ['billing.example.com', '.example.org']],
  without_token: ['faults,inboxes', ['faults', 'inboxes']],
};

/** Examples of every kind, for settings without their own example. */
const EXAMPLES_OF_KINDS: readonly Example[] = [
  ['7', 7],
  ['PT42M', 'PT42M'],
  ['EUR', 'EUR'],
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

describe('readSettings', () => {
  it('returns the defaults when nothing is given', () => {
    expect(readSettings()).toMatchObject({
      port: 24_100,
      service_name: 'Service',
      fixture: ['quickstart'],
      retry_schedule: ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'],
    });
  });

  it.each(SETTING_NAMES)('parses %s from text, and takes its own type too', (name) => {
    const [text, value] = exampleOf(name);
    const { preset } = SETTINGS[name];
    const presetText = Array.isArray(preset) ? preset.join(',') : String(preset);

    for (const given of [text, value])
      expect(readSettings({ [name]: given })).toEqual({ ...readSettings(), [name]: value });
    expect(readSettings({ [name]: presetText })).toEqual(readSettings());
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
    ['PORT', 'Unknown setting PORT. Did you mean port?'],
    ['completely_different', 'Unknown setting completely_different.'],
    ['constructor', 'Unknown setting constructor.'],
  ])('rejects the unknown setting %s', (name, problem) => {
    expect(problemsOf({ [name]: '1' })).toEqual([problem]);
  });

  it.each([
    ['port', '65536', 'Setting port: expected a whole number from 0 to 65535, got 65536.'],
    ['port', '', 'Setting port: expected a whole number from 0 to 65535, got .'],
    [
      'keys',
      'key_test_a, key_live_a',
      'Setting keys: expected a comma-separated list, each a key, key_test_NAME or key_live_NAME.',
    ],
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
      'Setting ui: expected one of off, on, got maybe.',
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

  it('reads SERVICE_NAME without the prefix, if the prefixed variable is not set', () => {
    expect(settingsOfVariables({ SERVICE_NAME: 'Acme' })).toEqual({ service_name: 'Acme' });
    expect(
      settingsOfVariables({ BILLING_EMULATOR_SERVICE_NAME: 'Prefixed', SERVICE_NAME: 'Acme' }),
    ).toEqual({ service_name: 'Prefixed' });
  });
});

const SOURCE = fileURLToPath(new URL('../', import.meta.url));

/** The files that can read a setting: all but tests, generated declarations and the definitions themselves. */
const readers = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.|\.d\.ts$|^testing|^config.settings/.test(path),
  )
  .map((path) => readFileSync(`${SOURCE}${path}`, 'utf8'));

/** Matches a property access, a destructuring, or a name from the document. */
const isRead = (name: string) => (text: string) =>
  new RegExp(`\\bsettings\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}|'${name}'`).test(text);

const documents = ['openapi', 'control'].map((name) =>
  readFileSync(`${SOURCE}../spec/${name}.yaml`, 'utf8'),
);

describe('the setting', () => {
  it.each(SETTING_NAMES)('%s is read by the code or a document', (name) => {
    const isNamedInDocument = documents.some((text) =>
      new RegExp(`^\\s+(x-body-limit|x-batch-limit|\\w+): ${name}$`, 'm').test(text),
    );
    expect(isNamedInDocument || readers.some(isRead(name))).toBe(true);
  });
});
