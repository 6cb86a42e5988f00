import { readFileSync, writeFileSync } from 'node:fs';

const SPEC = new URL('../spec/', import.meta.url);
const GUIDE = new URL('webhook-verification.md', SPEC);
const PLACE = /(<!-- (verification\/\S+) -->\n)[\s\S]*?(<!-- \/\2 -->)/g;

const LANGUAGES: Readonly<Record<string, string>> = { py: 'python', rb: 'ruby' };

/** Writes the examples of verification into the guide. */
export function writeWebhookGuide(): void {
  writeFileSync(GUIDE, fillGuide(readFileSync(GUIDE, 'utf8')));
}

function fillGuide(guide: string): string {
  return guide.replace(PLACE, (_, open: string, path: string, close: string) => {
    const ending = path.split('.').at(-1) as string;
    const code = exampleOf(readFileSync(new URL(path, SPEC), 'utf8'), ending);
    return `${open}\n\`\`\`${LANGUAGES[ending] ?? ending}\n${code}\n\`\`\`\n\n${close}`;
  });
}

/** The part of an example that a receiver needs, without the part that reads the test vectors. */
function exampleOf(text: string, ending: string): string {
  const [shown = ''] = text
    .replace(/\/\/ For reading the test vectors:\n(?:.+\n)+\n/, '')
    .split(/\n.*--- What follows/);
  return ending === 'java' ? `${shown.trimEnd()}\n}` : shown.trimEnd();
}
