import { writeFileSync } from 'node:fs';
import { SETTING_NAMES, SETTINGS } from '../src/config/settings.ts';
import { writeTable } from './write-table.ts';

const PAGE = new URL('../docs/settings.md', import.meta.url);
const SCHEMA = new URL('../spec/settings.schema.json', import.meta.url);

/** Writes the table of `docs/settings.md`, and the JSON Schema of settings files. */
export function writeSettingsFiles(): void {
  const table = ['| setting | what it does | value | default |', '|---|---|---|---|', ...rows()];
  writeTable(PAGE, 'settings', table);
  writeFileSync(SCHEMA, `${JSON.stringify(settingsSchema(), null, 2)}\n`);
}

function rows(): readonly string[] {
  return SETTING_NAMES.map((name) => {
    const { kind, preset, about } = SETTINGS[name];
    const shown = String(preset) === '' ? '' : `\`${preset}\``;
    return `| \`${name}\` | ${about} | ${kind.expects} | ${shown} |`;
  });
}

function settingsSchema() {
  const properties = SETTING_NAMES.map((name) => {
    const { kind, preset, about } = SETTINGS[name];
    const description = `${about}. Expects ${kind.expects}.`;
    return [name, { description, ...kind.schema, default: preset }] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of billing-emulator',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}
