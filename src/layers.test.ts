// Long because who may import what, and which packages, stands in two tables.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('.', import.meta.url));

/** The folders that each folder may import from, besides itself. Imports have one direction only. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  text: ['domain'],
  domain: [],
  config: ['domain', 'text'],
  spec: ['domain', 'text'],
  client: ['spec'],
  store: ['config', 'domain', 'text', 'spec'],
  faults: ['domain', 'store', 'spec', 'text'],
  webhooks: ['config', 'domain', 'store', 'spec', 'faults'],
  resources: ['config', 'domain', 'text', 'store', 'spec', 'webhooks'],
  clock: ['config', 'domain', 'store', 'spec', 'resources', 'webhooks'],
  fixtures: ['domain', 'text', 'spec'],
  http: ['config', 'domain', 'text', 'store', 'spec', 'resources', 'faults'],
  control: [
    'config',
    'domain',
    'text',
    'store',
    'spec',
    'resources',
    'clock',
    'fixtures',
    'webhooks',
    'faults',
    'http',
  ],
  pages: [
    'config',
    'domain',
    'text',
    'store',
    'spec',
    'resources',
    'clock',
    'faults',
    'http',
    'control',
  ],
  '.': [
    'client',
    'config',
    'domain',
    'text',
    'spec',
    'store',
    'webhooks',
    'resources',
    'clock',
    'fixtures',
    'http',
    'control',
    'pages',
  ],
  cli: [
    '.',
    'client',
    'config',
    'domain',
    'text',
    'spec',
    'store',
    'webhooks',
    'fixtures',
    'faults',
    'http',
    'control',
  ],
  testing: [
    '.',
    'client',
    'config',
    'spec',
    'store',
    'domain',
    'text',
    'resources',
    'webhooks',
    'clock',
    'fixtures',
    'control',
    'cli',
  ],
};

/** Packages that only certain files may import. */
const PACKAGE_HOMES: Readonly<Record<string, readonly string[]>> = {
  'big.js': ['testing/decimals.ts'],
  luxon: ['domain/instant.ts'],
  'currency-codes': ['domain/currencies.ts'],
  express: ['http/fallback.ts', 'http/express-app.ts', 'control/', 'pages/'],
  'find-my-way': ['http/router.ts'],
  ajv: ['spec/', 'http/request-validator.ts'],
  'ajv-formats': ['spec/formats.ts'],
  yaml: ['text/yaml.ts', 'fixtures/positions.ts'],
  lowdb: ['store/storage/'],
  'proper-lockfile': ['store/storage/file-lock.ts'],
  'prom-client': ['control/metrics.ts'],
  '@faker-js/faker': ['fixtures/population/chance.ts'],
  commander: ['cli/'],
  preact: ['pages/'],
  'preact-render-to-string': ['pages/'],
  'd3-scale': ['pages/'],
  'd3-shape': ['pages/'],
  'playwright-core': ['testing/browser.ts', 'testing/chromium.ts', 'testing/views.ts'],
  '@playwright/test': ['playwright.ts'],
  '@sparticuz/chromium': ['testing/chromium.ts'],
  'node:crypto': [
    'store/ids.ts',
    'webhooks/signature.ts',
    'webhooks/verify-signature.ts',
    'http/admin-token.ts',
  ],
};

const ELSEWHERE = Object.keys(BELOW).flatMap((name) => (name === 'resources' ? [] : `${name}/`));

/** Expressions, and the only files that may contain them. */
const HOMES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/new Date\(\)|Date\.now\(/, ['store/clock.ts']],
  [/process\.env/, ['cli/', 'testing/verb.ts', 'testing/chromium.ts']],
  // Its letters are in no output: they only tell the marks of numbers from texts that look like them.
  [/Math\.random/, ['text/exact-json.ts']],
  // Handlers read the time from their context, which records that the response depends on the time. Due jobs
  // have no response.
  [/\bworld\.now\b/, [...ELSEWHERE, 'scenario-targets.ts', 'resources/subscriptions/renewal.ts']],
];

interface SourceFile {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const files: readonly SourceFile[] = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$/.test(path))
  .map((path) => {
    const text = readFileSync(join(SOURCE, path), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)];
    return {
      path,
      folder: folderOf(path),
      text,
      imports: imports.map(([, name]) => name as string),
    };
  });

function folderOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] as string) : '.';
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

  it('import only from the folders below theirs, which BELOW lists', () => {
    const crossings = files.flatMap(({ path, folder, imports }) =>
      imports
        .filter((name) => name.startsWith('.'))
        .map((name) => relative(SOURCE, resolve(SOURCE, path, '..', name)))
        .filter((target) => {
          if (target.startsWith('..')) return false;
          const to = folderOf(target);
          return to !== folder && !(BELOW[folder] ?? []).includes(to);
        })
        .map((target) => `${path} imports ${target}`),
    );

    expect(crossings).toEqual([]);
  });

  it('do not import the contract kit, which imports the emulator only by its package name', () => {
    const kit = fileURLToPath(new URL('../contract-tests/', import.meta.url));
    const reaching = readdirSync(kit, { recursive: true, encoding: 'utf8' }).filter(
      (path) =>
        /^(?!dist|node_modules).*(?<!\.browser\.test)\.ts$/.test(path) &&
        /from '[./]+\/src\//.test(readFileSync(join(kit, path), 'utf8')),
    );
    const reverse = files.filter(({ text }) => /from '[./]+\/contract-tests\//.test(text));

    expect([...reaching, ...reverse.map(({ path }) => path)]).toEqual([]);
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
      ({ folder, imports }) =>
        folder === 'domain' && imports.some((name) => name.startsWith('node:')),
    );

    expect(impure.map(({ path }) => path)).toEqual([]);
  });

  it('of the client import no Node module and no document, so that they need only fetch', () => {
    const names = ['address', 'header-names', 'operations', 'problem-types'];
    const light = new Set(names.map((name) => `spec/${name}.ts`));
    const heavy = files
      .filter(({ folder }) => folder === 'client')
      .flatMap(({ path, imports }) =>
        imports
          .map((name) =>
            name.startsWith('.') ? relative(SOURCE, resolve(SOURCE, path, '..', name)) : name,
          )
          .filter((target) => !target.startsWith('client/') && !light.has(target)),
      );

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
