import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SETTING_NAMES, SETTINGS } from './settings.ts';

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

  const choices = SETTING_NAMES.flatMap((name) => {
    const { kind } = SETTINGS[name];
    return 'choices' in kind && kind.choices ? [{ name, choices: kind.choices }] : [];
  });

  it.each(choices)(
    '$name is compared in the code with all but one of $choices',
    ({ name, choices }) => {
      const texts = readers.filter(isRead(name));
      const unread = choices.filter(
        (choice) => !texts.some((text) => text.includes(`'${choice}'`)),
      );
      expect(unread.length, `not compared: ${unread.join(', ')}`).toBeLessThanOrEqual(1);
    },
  );
});
