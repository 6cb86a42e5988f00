import type { Command } from 'commander';
import { findUnsafeAccess, secretFile, secretSource } from '../../config/access.ts';
import { isDatabase, shownName } from '../../config/database-address.ts';
import {
  readSettings,
  SECRET_SETTINGS,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings,
  SettingsError,
} from '../../config/settings.ts';
import { createEmulator } from '../../main.ts';
import { examineStorage } from '../../open-emulator.ts';
import { EXIT, exitCodeOf } from '../failure.ts';
import { alignColumns, print } from '../print.ts';
import {
  addSettingFlags,
  type SettingPlace,
  settingPlaces,
  settingProblems,
} from './setting-flags.ts';
import { tryFixtures } from './start.ts';

/** `billing-emulator doctor`: shows what `start` would do with the same flags, and what prevents it. */
export function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description(
      'Show the settings that `start` would use, where each comes from, and what is wrong',
    )
    .option('--json', 'Print the report as JSON');
  addSettingFlags(command, ['fixture', 'port', 'data', 'clock']).action(examine);
}

/** Returns what is fine. @throws Error saying what is wrong */
type Check = (settings: Settings) => string | Promise<string>;

const CHECKS: Readonly<Record<string, Check>> = {
  access(settings) {
    const danger = findUnsafeAccess(settings);
    if (danger !== undefined) throw new SettingsError([danger]);
    return `listens on ${settings.host}`;
  },
  secrets: (settings) => SECRETS[secretSource(settings)](settings),
  async port(settings) {
    const emulator = createEmulator({ settings: withoutWorlds(settings) });
    const url = await emulator.listen();
    await emulator.close();
    return settings.port === 0 ? 'any free port' : `${url} is free`;
  },
  data: examineStorage,
  fixtures(settings) {
    const { fixture, sandbox_fixture: other } = settings;
    tryFixtures(withoutData(settings), fixture);
    if (other !== '') tryFixtures(withoutData(settings), [other]);
    return [...(fixture.length > 0 ? fixture : ['none']), other || 'none for other keys'].join(
      ', ',
    );
  },
  clock({ clock, clock_now, fixture }) {
    const start = `${clock}, from ${clock_now === '' ? 'now' : clock_now}`;
    return fixture.length > 0 ? `${start}, unless a fixture states its own` : start;
  },
};

/** What links, tokens and signing secrets are derived from. */
const SECRETS: Readonly<Record<ReturnType<typeof secretSource>, (settings: Settings) => string>> = {
  setting: () => 'derived from the setting secret',
  seed: () =>
    'derived from the seed, so they are the same everywhere and can be computed by anyone',
  random: ({ data }) => {
    if (data === '') return 'random at each start';
    return `derived from a random secret in ${isDatabase(data) ? 'the database' : secretFile(data)}`;
  },
};

const withoutData = (settings: Settings): Settings => ({ ...settings, data: '' });
const withoutWorlds = (settings: Settings): Settings => ({
  ...withoutData(settings),
  fixture: [],
  log_level: 'silent',
});

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
  readonly exit: number;
}

async function examine(flags: Readonly<Record<string, string>>): Promise<void> {
  const places = settingPlaces(flags);
  const problems = settingProblems(places);
  const settings =
    problems.length > 0 ? undefined : readSettings(...places.map(({ given }) => given));
  const mistake = { name: 'settings', ok: false, exit: EXIT.configuration };
  const findings: Finding[] = problems.map((text) => ({ ...mistake, text }));
  if (settings)
    for (const [name, check] of Object.entries(CHECKS))
      findings.push(await tryCheck(name, check, settings));
  const rows = SETTING_NAMES.map((name) => rowOf(name, places, settings));
  if (flags['json']) print(JSON.stringify({ settings: rows, findings }, undefined, 2));
  else print([tableOf(rows), '', ...findings.map(lineOf)].join('\n'));
  process.exitCode = findings.find(({ ok }) => !ok)?.exit ?? 0;
}

async function tryCheck(name: string, check: Check, settings: Settings): Promise<Finding> {
  try {
    return { name, ok: true, text: await check(settings), exit: 0 };
  } catch (error) {
    const exit = exitCodeOf(error) ?? EXIT.failure;
    return { name, ok: false, text: (error as Error).message, exit };
  }
}

function rowOf(name: SettingName, places: readonly SettingPlace[], settings: Settings | undefined) {
  const place = places.find(({ given }) => given[name] !== undefined);
  const source = place?.callOf(name) ?? 'default';
  const value = settings?.[name] ?? place?.given[name] ?? SETTINGS[name].preset;
  const isSet = String(value) !== '';
  return {
    name,
    source,
    value: SECRET_SETTINGS.includes(name) ? (isSet ? 'set' : 'not set') : shown(value),
  };
}

/** A value without the password that it may have. */
const shown = (value: unknown): unknown =>
  isDatabase(String(value)) ? shownName(String(value)) : value;

const tableOf = (rows: readonly ReturnType<typeof rowOf>[]): string =>
  alignColumns(rows.map(({ name, value, source }) => [name, String(value), source]));

const lineOf = ({ name, ok, text }: Finding): string =>
  `${ok ? 'ok    ' : 'wrong '} ${name}: ${text}`;
