import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const GUIDES = readdirSync(`${ROOT}docs`).filter((name) => name.endsWith('.md'));
const PAGES = ['README.md', ...GUIDES.map((name) => `docs/${name}`)].map((path) =>
  readFileSync(`${ROOT}${path}`, 'utf8'),
);

const OF_AN_ARRIVAL =
  /<!-- (arrivals|elsewhere: arrivals)[: ]+(\S+) ?(\S*) -->\n\n```\w+\n([\s\S]*?)```/g;
const COMMANDS = /(<!-- elsewhere: [^\n]+ -->\n+)?```sh\n([\s\S]*?)```/g;

/** The files, by name, and the commands, in order, that the documentation has for an arrival. */
export function documented(arrival: string) {
  const blocks = PAGES.flatMap((text) => [...text.matchAll(OF_AN_ARRIVAL)]).filter(
    ([, , name]) => name === arrival,
  );
  const isFile = ([, kind]: readonly string[]) => kind === 'arrivals';
  return {
    files: Object.fromEntries(
      blocks.filter(isFile).map(([, , , file = '', body = '']) => [file, body]),
    ),
    commands: blocks.filter((block) => !isFile(block)).map(([, , , , body = '']) => body.trim()),
  };
}

/** All commands that a reader can run with the package alone, as a bash script; each page has a shell of its own. */
export const everyCommand = (): string =>
  PAGES.map((text) =>
    [...text.matchAll(COMMANDS)]
      .filter(([, elsewhere]) => elsewhere === undefined)
      .map(([, , body]) => body)
      .join(''),
  )
    .filter((commands) => commands !== '')
    .map((commands) => `(\n${commands})\n`)
    .join('');
