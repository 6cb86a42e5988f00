import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './testing/eventually.ts';
import { newFolder, readReady } from './testing/files.ts';

/**
 * Runs the commands of the README and of `docs/` in order, against one emulator on a free port, and checks all
 * links. A block that cannot run here has a comment before it: `<!-- elsewhere: what runs it -->`.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const BINARY = join(ROOT, 'bin/billing-emulator.js');
const BLOCK = /(<!-- elsewhere: [^\n]+ -->\n+)?```sh\n([\s\S]*?)```/g;
const FENCED = /```[\s\S]*?```/g;
const LINK = /\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g;
/** Maximum length of the README, so that it can be read in one sitting. */
const README_LINES = 140;

const guides = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const pages = ['README.md', ...guides].map((path) => ({ path, text: read(path) }));
const linked = [
  ...pages,
  ...[
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'llms.txt',
    'bench/README.md',
    'fixtures/README.md',
    'contract-tests/README.md',
    'spec/webhook-verification.md',
  ].map((path) => ({ path, text: read(path) })),
];

const commands = pages.flatMap(({ path, text }) =>
  [...text.matchAll(BLOCK)]
    .filter(([, elsewhere]) => elsewhere === undefined)
    .map(([, , block]) => ({ path, block: block as string })),
);

const folder = newFolder();
let ready: NonNullable<ReturnType<typeof readReady>>;

beforeAll(async () => {
  const file = join(folder, 'ready.json');
  spawn(process.execPath, [BINARY, '--port', '0', '--ready-file', file], { stdio: 'ignore' });
  ready = await eventually(() => readReady(file));
});

afterAll(() => {
  process.kill(ready.pid, 'SIGTERM');
});

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function run(block: string): string {
  const script = block
    .replaceAll('http://127.0.0.1:24100', ready.url)
    .replaceAll('npx billing-emulator', `node ${BINARY}`)
    .replaceAll(/\b(population\.json|session\.(yaml|har))/g, (name) => join(folder, name));
  return execFileSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, BILLING_EMULATOR_URL: ready.url, HOME: folder },
  });
}

/** The link anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** Returns why a link is dead, or undefined if it works. */
function deadLink(from: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [file, anchor] = link.split('#') as [string, string?];
  const target = file === '' ? from : join(dirname(from), file);
  if (!existsSync(join(ROOT, target))) return `${from}: ${link}, there is no ${target}`;
  if (anchor === undefined) return undefined;
  const anchors = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => anchorOf(text));
  return anchors.includes(anchor) ? undefined : `${from}: ${link}, ${target} has no such heading`;
}

// Readers follow the commands from the first to the last.
describe('the documentation', { shuffle: false }, () => {
  it.each(commands)('contains commands that run without error: $path $block', ({ block }) => {
    expect(() => run(block)).not.toThrow();
  });

  it('states the fee and balance that the emulator returns', () => {
    const [submit, show] = commands.filter(({ block }) => block.includes('/events'));
    run(submit?.block as string);
    const event = JSON.parse(run(show?.block as string)) as {
      fees: { amount: number }[];
      customer_id: string;
    };
    const wallet = run(
      `curl -s http://127.0.0.1:24100/customers/${event.customer_id}/wallet -H 'Authorization: Bearer key_test_emulator'`,
    );

    expect(event.fees.map(({ amount }) => amount)).toEqual([4.17]);
    expect(read('README.md')).toContain('= 4.17');
    expect(JSON.parse(wallet).accounts[0].available).toBe(95.83);
    expect(read('README.md')).toContain('95.83');
  });

  it('contains no dead link', () => {
    const dead = linked.flatMap(({ path, text }) =>
      [...text.replace(FENCED, '').matchAll(LINK)].map(([, markdown, html]) =>
        deadLink(path, (markdown ?? html) as string),
      ),
    );

    expect(dead.filter((reason) => reason !== undefined)).toEqual([]);
  });

  it('links from packed folders only to files that the package has', () => {
    const { files } = JSON.parse(read('package.json')) as { files: readonly string[] };
    const packed = [...files, 'README.md', 'LICENSE'];
    const isPacked = (path: string) =>
      packed.some((each) => path === each || path.startsWith(`${each}/`));
    const leading = linked
      .filter(({ path }) => path.includes('/') && isPacked(path))
      .flatMap(({ path, text }) =>
        [...text.replace(FENCED, '').matchAll(LINK)]
          .map(([, markdown = '', html = markdown]) => html.split('#')[0] as string)
          .filter((target) => target !== '' && !/^(\w+:|\/)/.test(target))
          .map((target) => join(dirname(path), target))
          .filter((target) => !isPacked(target))
          .map((target) => `${path}: ${target}`),
      );

    expect(leading).toEqual([]);
  });

  it('is linked from the README, which has fewer than 140 lines', () => {
    const readme = read('README.md');

    expect(guides.filter((path) => !readme.includes(`](${path})`))).toEqual([]);
    expect(readme.split('\n').length).toBeLessThan(README_LINES);
  });
});

describe('CONTRIBUTING', () => {
  const contributing = read('CONTRIBUTING.md');

  it('names only existing files in the walk of one request', () => {
    const walk = contributing.slice(contributing.indexOf('| step | file |')).split('\n\n')[0];
    const cells = (walk as string)
      .split('\n')
      .slice(2)
      .map((row) => row.split('|')[2] as string);
    const paths = cells.flatMap((cell) => {
      let folder = '';
      return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
        if (!name.includes('/')) return join(folder, name);
        folder = dirname(name);
        return name;
      });
    });

    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !existsSync(join(ROOT, 'src', path)))).toEqual([]);
  });

  it('has a table row for each proof of scripts/prove.ts', () => {
    const [, table = ''] = /const PROOFS[^{]+{([^}]+)}/.exec(read('scripts/prove.ts')) ?? [];
    const names = [...table.matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, name]) => name);
    const rows = [...contributing.matchAll(/^\| `([\w-]+)/gm)].map(([, name]) => name);

    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !rows.includes(name))).toEqual([]);
  });
});
