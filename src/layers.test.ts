// Long because who may import what, and which packages, stands in tables.
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from '../scripts/source-files.ts';

const SOURCE = fileURLToPath(new URL('.', import.meta.url));
const CONTRACT = fileURLToPath(new URL('../contract-tests/', import.meta.url));

/**
 * What each room imports. It may also import what those rooms import, and so on down: imports have one direction only,
 * types included.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  text: ['domain'],
  config: ['text'],
  spec: ['text'],
  store: ['spec', 'config'],
  invariants: ['store'],
  faults: ['store'],
  webhooks: ['faults'],
  resources: ['webhooks', 'invariants'],
  clock: ['resources'],
  client: ['spec'],
  fixtures: ['client'],
  http: ['resources'],
  cluster: ['http'],
  control: ['http', 'clock', 'fixtures'],
  pages: ['control'],
};

/** The folders of `resources`, in the order in which they import; what lies beside them is below all. */
const RESOURCES: readonly (readonly string[])[] = [
  ['accounts', 'assets', 'vendors', 'webhooks'],
  ['customers', 'products', 'revenue'],
  ['wallets'],
  ['subscriptions'],
  ['payments'],
  ['subscribers'],
  ['events'],
  ['stats', 'tasks'],
];

/** The ways in, and all that each imports: they know `main.ts`, which starts an emulator, but not what that imports. */
const WAYS_IN: typeof ROOMS = {
  mcp: ['client', 'config', 'domain', 'fixtures', 'spec', 'text'],
  'ways-in.ts': [...Object.keys(ROOMS), 'mcp'],
  'emulator-options.ts': Object.keys(ROOMS),
  'core.ts': [...Object.keys(ROOMS), 'emulator-options.ts'],
  'main.ts': [...Object.keys(ROOMS), 'ways-in.ts', 'emulator-options.ts', 'core.ts'],
  'open-emulator.ts': [...Object.keys(ROOMS), 'main.ts'],
  embed: ['client', 'config', 'domain', 'spec', 'text', 'webhooks', 'main.ts', 'open-emulator.ts'],
  cli: [
    'client',
    'config',
    'domain',
    'fixtures',
    'spec',
    'text',
    'embed',
    'main.ts',
    'open-emulator.ts',
    'faults',
    'http',
    'mcp',
    'webhooks',
  ],
};
/** What the package exports, and the helpers of tests, import all. */
const ENTRIES = ['index.ts', 'playwright.ts', 'vitest.ts', 'testing'];

/** The rooms of the contract package. Its kit knows neither the checks nor what runs them. */
const CONTRACT_ROOMS: typeof ROOMS = {
  kit: [],
  model: ['kit'],
  'worked-cases': ['kit'],
  mutants: ['kit'],
  receiver: ['kit'],
  forwarder: ['kit'],
  cases: ['model', 'worked-cases'],
  selftest: ['mutants', 'cases'],
  cli: ['selftest', 'forwarder', 'receiver'],
  testing: ['cli'],
};

/** Packages that only certain files may import. */
const PACKAGE_HOMES: Readonly<Record<string, readonly string[]>> = {
  luxon: ['domain/instant.ts'],
  'currency-codes': ['domain/currencies.ts'],
  express: ['http/fallback.ts', 'control/', 'pages/'],
  'find-my-way': ['http/router.ts'],
  ajv: ['spec/', 'http/request-validator.ts'],
  'ajv-formats': ['spec/compiler.ts'],
  yaml: ['text/yaml.ts', 'fixtures/positions.ts'],
  lowdb: ['store/storage/'],
  'proper-lockfile': ['store/storage/file-lock.ts'],
  pg: ['store/storage/postgres/database.ts', 'testing/postgres/server.ts'],
  '@modelcontextprotocol/sdk': ['mcp/'],
  'node-forge': ['http/authority.ts'],
  'prom-client': ['control/metrics.ts'],
  '@faker-js/faker': ['fixtures/population/chance.ts'],
  commander: ['cli/'],
  preact: ['pages/'],
  'preact-render-to-string': ['pages/'],
  'd3-scale': ['pages/'],
  'playwright-core': ['testing/browser.ts', 'testing/every-page.ts', 'testing/views.ts'],
  '@playwright/test': ['playwright.ts'],
  '@sparticuz/chromium': ['testing/browser.ts'],
  'node:crypto': [
    'store/ids.ts',
    'webhooks/egress.ts',
    'webhooks/signature.ts',
    'http/credentials.ts',
  ],
};

const ELSEWHERE = [...Object.keys(ROOMS), 'cli', 'embed', 'testing']
  .filter((name) => name !== 'resources')
  .map((name) => `${name}/`);

/** Expressions, and the only files that may contain them. */
const HOMES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/new Date\(\)|Date\.now\b/, ['config/machine-time.ts']],
  [/process\.env/, ['cli/', 'testing/command.ts', 'testing/browser.ts', 'testing/client.ts']],
  // Its letters are in no output: they only tell the marks of numbers from texts that look like them.
  [/Math\.random/, ['text/exact-json.ts']],
  // Handlers read the time from their context, which records that the response depends on the time. Due jobs
  // have no response.
  [/store\/indexes\//, []],
  // Long work is the store's, and that of what handles a whole world or log.
  [
    /\b(runT|T)imeSliced\b/,
    [
      'store/',
      'invariants/',
      'clock/',
      'control/worlds/',
      'control/comparison.ts',
      'control/ledger.ts',
      'control/requests.ts',
      'http/log/har.ts',
      'pages/inspector/time/compare.tsx',
      'pages/inspector/requests/requests.tsx',
      'pages/inspector/listing-download.tsx',
    ],
  ],
  [/\bworld\.now\b/, [...ELSEWHERE, 'resources/subscriptions/subscription-payment.ts']],
];

const files = sourceFiles(SOURCE).filter(({ isTest }) => !isTest);
const contractFiles = sourceFiles(CONTRACT).filter(
  ({ path, isTest }) => !isTest || path.startsWith('cases/'),
);

/** Where an import leads, from the folder of the package; the name of a package as it is. */
const targetOf = (path: string, name: string): string =>
  name.startsWith('.') ? normalize(join(dirname(path), name)) : name;

/** The room of a file: its topmost folder, or the file itself. */
const roomOf = (path: string): string => path.split('/')[0] as string;

/** All that a room of a table may import. */
function below(rooms: typeof ROOMS, room: string): ReadonlySet<string> {
  const direct = rooms[room] ?? [];
  return new Set(direct.flatMap((each) => [each, ...below(rooms, each)]));
}

/** The imports of files that lead to a room which the file's own may not know. */
function crossings(sources: readonly SourceFile[], allowed: (room: string) => ReadonlySet<string>) {
  return sources.flatMap(({ path, imports }) =>
    imports
      .map((name) => targetOf(path, name))
      .filter((target) => /\.tsx?$/.test(target) && !target.startsWith('..'))
      .filter((target) => roomOf(target) !== roomOf(path))
      .filter((target) => !allowed(roomOf(path)).has(roomOf(target)))
      .map((target) => `${path} imports ${target}`),
  );
}

function isAtHome(path: string, homes: readonly string[]): boolean {
  return homes.some((home) => path === home || (home.endsWith('/') && path.startsWith(home)));
}

function packageOf(name: string): string {
  return name.startsWith('@')
    ? name.split('/').slice(0, 2).join('/')
    : (name.split('/')[0] as string);
}

describe('the source files', () => {
  it('are more than 30', () => {
    expect(files.length).toBeGreaterThan(30);
  });

  it('import only from the rooms that ROOMS and WAYS_IN allow, types included', () => {
    const sources = files.filter(({ path }) => !ENTRIES.includes(roomOf(path)));
    const allowed = (room: string) => new Set(WAYS_IN[room] ?? below(ROOMS, room));

    expect(crossings(sources, allowed)).toEqual([]);
  });

  it('of resources import only from the folders that RESOURCES lists before their own', () => {
    const folderOf = (path: string) => /^resources\/(\w+)\//.exec(path)?.[1];
    const rank = (folder: string) => RESOURCES.findIndex((folders) => folders.includes(folder));
    const strays = files.flatMap(({ path, imports }) => {
      const own = folderOf(path);
      if (own === undefined) return [];
      const targets = imports.map((name) => targetOf(path, name));
      return targets
        .filter((target) => {
          const folder = folderOf(target);
          return folder !== undefined && folder !== own && !(rank(folder) < rank(own));
        })
        .map((target) => `${path} imports ${target}`);
    });
    const beneath = files.filter(
      ({ path, imports }) =>
        /^resources\/[\w-]+\.ts$/.test(path) &&
        path !== 'resources/index.ts' &&
        imports.some((name) => folderOf(targetOf(path, name)) !== undefined),
    );

    expect([strays, beneath.map(({ path }) => path)]).toEqual([[], []]);
  });

  it('are all in a room that has a place in the tables', () => {
    const known = new Set([ROOMS, WAYS_IN].flatMap(Object.keys).concat(ENTRIES));

    expect(files.map(({ path }) => roomOf(path)).filter((room) => !known.has(room))).toEqual([]);
  });

  it('of the contract package import only from the rooms that CONTRACT_ROOMS allows', () => {
    expect(crossings(contractFiles, (room) => below(CONTRACT_ROOMS, room))).toEqual([]);
    expect(new Set(contractFiles.map(({ path }) => roomOf(path)))).toEqual(
      new Set(Object.keys(CONTRACT_ROOMS)),
    );
  });

  it('do not import the contract suite, which imports the emulator only by its package name', () => {
    // Random histories of tests are those of its model.
    const isModel = (path: string, target: string) =>
      path.startsWith('testing/') && target.startsWith('../contract-tests/model/');
    const reaching = [...contractFiles, ...files].flatMap(({ path, imports }) =>
      imports
        .map((name) => targetOf(path, name))
        .filter((target) => target.startsWith('..') && !isModel(path, target))
        .map((target) => `${path} imports ${target}`),
    );

    expect(reaching).toEqual([]);
  });

  it('import a package only where PACKAGE_HOMES allows it', () => {
    const strays = files.flatMap(({ path, imports }) =>
      imports
        .filter((name) => {
          const homes = PACKAGE_HOMES[name] ?? PACKAGE_HOMES[packageOf(name)];
          return homes !== undefined && !isAtHome(path, homes);
        })
        .map((name) => `${path} imports ${name}`),
    );

    expect(strays).toEqual([]);
  });

  it('of the domain import no Node module', () => {
    const impure = files.filter(
      ({ path, imports }) =>
        roomOf(path) === 'domain' && imports.some((name) => name.startsWith('node:')),
    );

    expect(impure.map(({ path }) => path)).toEqual([]);
  });

  it('of the client import no Node module and no document, so that they need only fetch', () => {
    const names = ['address', 'header-names', 'operations'];
    const light = new Set([...names.map((name) => `spec/${name}.ts`), 'text/wording.ts']);
    const heavy = files
      .filter(({ path }) => roomOf(path) === 'client')
      .flatMap(({ path, imports }) => imports.map((name) => targetOf(path, name)))
      .filter((target) => !target.startsWith('client/') && !light.has(target));

    expect(heavy).toEqual([]);
  });

  it('read time, randomness and the environment only where HOMES allows it', () => {
    const strays = HOMES.flatMap(([expression, homes]) =>
      files
        .filter(({ path, text }) => expression.test(text) && !isAtHome(path, homes))
        .map(({ path }) => `${path} has ${expression.source}`),
    );

    expect(strays).toEqual([]);
  });
});
