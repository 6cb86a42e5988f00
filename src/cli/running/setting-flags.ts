import { type Command, Option } from 'commander';
import {
  type GivenSettings,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  SettingsError,
  settingsOfVariables,
} from '../../config/settings.ts';
import { readYaml } from '../readers.ts';

/** Adds a flag for every setting, and one for a settings file. The help shows all, or only `shown`. */
export function addSettingFlags(command: Command, shown = SETTING_NAMES): Command {
  for (const name of SETTING_NAMES)
    command.addOption(settingFlag(name).hideHelp(!shown.includes(name)));
  if (shown.length < SETTING_NAMES.length)
    command.addHelpText('after', '\nAll other settings of `start --help` work too.');
  return command.option('--config <file>', 'YAML or JSON file of settings');
}

function settingFlag(name: SettingName): Option {
  const { about, kind, preset } = SETTINGS[name];
  const defaultText = String(preset) === '' ? '' : `; default ${preset}`;
  const flag = `--${name.replaceAll('_', '-')} <value>`;
  return new Option(flag, `${about} (${kind.expects}${defaultText})`);
}

/**
 * Returns the settings of the command line, the environment and the file, in this order of precedence.
 *
 * @throws SettingsError when the file cannot be read
 */
export function gatherSettings(flags: Readonly<Record<string, unknown>>): readonly GivenSettings[] {
  const given: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) given[name] = flags[camelCase(name)];
  const { env } = process;
  const file = (flags['config'] as string | undefined) ?? env['BILLING_EMULATOR_CONFIG'];
  return [given, settingsOfVariables(env), file === undefined ? {} : readFile(file)];
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
