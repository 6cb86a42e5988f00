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

/** What the documentation gives an arrival: files by name, and commands in their order. */
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

/** Every command that a reader with nothing but the package can follow, page by page, as a script of bash. */
export const everyCommand = (): string =>
  PAGES.flatMap((text) => [...text.matchAll(COMMANDS)])
    .filter(([, elsewhere]) => elsewhere === undefined)
    .map(([, , body]) => body)
    .join('');
