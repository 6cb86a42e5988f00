import { writeFileSync } from 'node:fs';
import { SETTING_NAMES, SETTINGS } from '../../src/config/settings.ts';
import { ROOT } from './places.ts';

/** Writes the JSON Schema of settings files. */
export function writeSettingsSchema(): void {
  const text = `${JSON.stringify(settingsSchema(), null, 2)}\n`;
  writeFileSync(`${ROOT}spec/settings.schema.json`, text);
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
