import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import {
  type GivenSettings,
  readSettings,
  SECRET_SETTINGS,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  SettingsError,
  settingsOfVariables,
} from '../../config/settings.ts';
import { readYaml } from '../flags.ts';

/** Adds a flag for every setting, and one for a settings file. The help shows all, or only `shown`. */
export function addSettingFlags(command: Command, shown = SETTING_NAMES): Command {
  for (const name of SETTING_NAMES)
    command.addOption(settingFlag(name).hideHelp(!shown.includes(name)));
  if (shown.length < SETTING_NAMES.length)
    command.addHelpText('after', '\nAll other settings of `start --help` work too.');
  for (const name of SECRET_SETTINGS)
    command.option(`${flagOf(name)}-file <file>`, `File with ${name}, which \`ps\` does not show`);
  return command.option('--config <file>', 'YAML or JSON file of settings');
}

const flagOf = (name: string): string => `--${name.replaceAll('_', '-')}`;

function settingFlag(name: SettingName): Option {
  const { about, kind, preset } = SETTINGS[name];
  const defaultText = String(preset) === '' ? '' : `; default ${preset}`;
  const flag = `${flagOf(name)} <value>`;
  return new Option(flag, `${about} (${kind.expects}${defaultText})`);
}

/** Where settings are given. */
export interface SettingPlace {
  readonly given: GivenSettings;
  /** What a setting is called there, such as `flag --port`. */
  readonly callOf: (name: string) => string;
}

/**
 * Returns the settings of the command line, the environment and the file, in this order of precedence.
 *
 * @throws SettingsError when the file cannot be read
 */
export function settingPlaces(flags: Readonly<Record<string, unknown>>): readonly SettingPlace[] {
  const given: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) given[name] = flags[camelCase(name)];
  const { env } = process;
  const file = (flags['config'] as string | undefined) ?? env['BILLING_EMULATOR_CONFIG'];
  const prefix = 'variable BILLING_EMULATOR_';
  return [
    { given, callOf: (name) => `flag ${flagOf(name)}` },
    { given: secretsIn(flags), callOf: (name) => `flag ${flagOf(name)}-file` },
    { given: settingsOfVariables(env), callOf: (name) => `${prefix}${name.toUpperCase()}` },
    { given: file === undefined ? {} : readFile(file), callOf: () => `file ${file}` },
  ];
}

/** Everything that is wrong, each with where it is given. */
export const settingProblems = (places: readonly SettingPlace[]): readonly string[] =>
  places.flatMap(({ given, callOf }) =>
    Object.entries(given).flatMap(([name, value]) => {
      try {
        readSettings({ [name]: value });
        return [];
      } catch (error) {
        return (error as SettingsError).problems.map((problem) => `${problem} (${callOf(name)})`);
      }
    }),
  );

/** Returns valid settings of all places. @throws SettingsError naming the place of each problem */
export function gatherSettings(flags: Readonly<Record<string, unknown>>): readonly GivenSettings[] {
  const places = settingPlaces(flags);
  const problems = settingProblems(places);
  if (problems.length > 0) throw new SettingsError(problems);
  return places.map(({ given }) => given);
}

/** The secret settings that are in files of their own. @throws SettingsError when a file cannot be read */
function secretsIn(flags: Readonly<Record<string, unknown>>): GivenSettings {
  const given: Record<string, string> = {};
  for (const name of SECRET_SETTINGS) {
    const file = flags[`${camelCase(name)}File`];
    if (file === undefined) continue;
    try {
      given[name] = readFileSync(String(file), 'utf8').trim();
    } catch (error) {
      throw new SettingsError([`${flagOf(name)}-file ${file}: ${(error as Error).message}`]);
    }
  }
  return given;
}

function readFile(file: string): GivenSettings {
  try {
    const settings: unknown = readYaml(file) ?? {};
    if (typeof settings === 'object' && !Array.isArray(settings)) return settings as GivenSettings;
  } catch (error) {
    throw new SettingsError([`${file}: ${(error as Error).message}`]);
  }
  throw new SettingsError([`${file}: expected a map of settings.`]);
}

const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
