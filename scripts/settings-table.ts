import { SETTING_NAMES, SETTINGS } from '../src/config/settings.ts';
import { writeTable } from './write-table.ts';

const PAGE = new URL('../docs/reference.md', import.meta.url);

/** Writes the table of `docs/reference.md`. */
export function writeSettingsTable(): void {
  const head = ['| setting | what it does | value | default |', '|---|---|---|---|'];
  writeTable(PAGE, 'settings', [...head, ...rows()]);
}

function rows(): readonly string[] {
  return SETTING_NAMES.map((name) => {
    const { kind, preset, about } = SETTINGS[name];
    const shown = String(preset) === '' ? '' : `\`${preset}\``;
    return `| \`${name}\` | ${about} | ${kind.expects} | ${shown} |`;
  });
}
