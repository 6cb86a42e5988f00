import type { SettingName, Settings } from './settings.ts';

/** Settings as a program gives them: by name, each of its type, lists also as text with commas. */
export type SettingsInput = {
  readonly [N in SettingName]?:
    | Settings[N]
    | (Settings[N] extends readonly string[] ? string : never)
    | undefined;
};
