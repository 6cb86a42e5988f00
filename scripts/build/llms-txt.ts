import { readFileSync, writeFileSync } from 'node:fs';

const README = new URL('../../README.md', import.meta.url);
const GUIDE = new URL('../../llms.txt', import.meta.url);
const ROW = /^\| (.+) \| (\[.+\)) \|$/gm;
const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;

/** Writes `llms.txt`, the overview for language models: a description, and the README's table of pages. */
export function writeGuideToDocs(): void {
  const readme = readFileSync(README, 'utf8');
  const [, about = ''] = readme.split('\n\n');
  const pages = [...readme.matchAll(ROW)].flatMap(([, job = '', links = '']) =>
    [...links.matchAll(LINK)].map(([, name, path]) => `- [${name}](${path}): ${job}`),
  );
  const reference = [
    '- [Service API](spec/openapi.yaml): the 57 operations of the emulated service',
    '- [Control API](spec/control.yaml): the operations under `/_emulator`',
    '- [Assumptions](spec/assumptions.yaml): what the emulator decides where the specification is silent',
    '- [Settings file](spec/settings.schema.json), [fixture](spec/fixture.schema.json): JSON Schemas',
  ];
  const lines = ['# billing-emulator', '', `> ${about.replaceAll('\n', ' ')}`, '', '## Guides', ''];
  writeFileSync(
    GUIDE,
    `${[...lines, ...pages, '', '## Reference', '', ...reference].join('\n')}\n`,
  );
}
