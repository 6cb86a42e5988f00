import { readFileSync } from 'node:fs';
import { EXIT_MEANINGS } from '../src/cli/failure.ts';
import { SETTING_NAMES, SETTINGS } from '../src/config/settings.ts';
import { writeTable } from './write-table.ts';

const REFERENCE = new URL('../docs/reference.md', import.meta.url);
const SPEC = new URL('../spec/', import.meta.url);
const GUIDE = new URL('webhook-verification.md', SPEC);

/** Writes the table of all settings. */
export function writeSettingsTable(): void {
  const rows = SETTING_NAMES.map((name) => {
    const { kind, preset, about } = SETTINGS[name];
    const shown = String(preset) === '' ? '' : `\`${preset}\``;
    return `| \`${name}\` | ${about} | ${kind.expects} | ${shown} |`;
  });
  const head = ['| setting | what it does | value | default |', '|---|---|---|---|'];
  writeTable(REFERENCE, 'settings', [...head, ...rows]);
}

/** Writes what each exit code means. */
export function writeExitCodes(): void {
  const rows = Object.entries(EXIT_MEANINGS).map(([code, meaning]) => `| ${code} | ${meaning} |`);
  writeTable(REFERENCE, 'exit codes', ['| code | meaning |', '|---|---|', ...rows]);
}

const LANGUAGES: Readonly<Record<string, string>> = { py: 'python', rb: 'ruby' };

/** Writes the examples of verification into the guide. */
export function writeWebhookGuide(): void {
  for (const [, path = ''] of readFileSync(GUIDE, 'utf8').matchAll(
    /<!-- (verification\/\S+) -->/g,
  )) {
    const ending = path.split('.').at(-1) as string;
    const code = exampleOf(readFileSync(new URL(path, SPEC), 'utf8'), ending);
    writeTable(GUIDE, path, [`\`\`\`${LANGUAGES[ending] ?? ending}`, code, '```']);
  }
}

/** The part of an example that a receiver needs, without the part that reads the test vectors. */
function exampleOf(text: string, ending: string): string {
  const [shown = ''] = text
    .replace(/\/\/ For reading the test vectors:\n(?:.+\n)+\n/, '')
    .split(/\n.*--- What follows/);
  return ending === 'java' ? `${shown.trimEnd()}\n}` : shown.trimEnd();
}
