import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('.', import.meta.url));

/** What each room may import from, beside itself. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  spec: ['domain'],
  state: ['domain'],
  webhooks: ['domain', 'state'],
  resources: ['domain', 'state', 'spec', 'webhooks'],
  jobs: ['domain', 'state', 'resources', 'webhooks'],
  seed: ['domain', 'spec'],
  http: ['domain', 'state', 'spec', 'resources'],
  control: ['domain', 'state', 'spec', 'resources', 'jobs', 'seed', 'webhooks', 'http'],
  web: ['domain', 'state', 'spec', 'resources', 'jobs', 'http', 'control'],
  '.': [
    'domain',
    'spec',
    'state',
    'webhooks',
    'resources',
    'jobs',
    'seed',
    'http',
    'control',
    'web',
  ],
  cli: ['.', 'domain', 'spec', 'state', 'webhooks', 'seed', 'http', 'control'],
  mutants: ['.', 'domain', 'state', 'spec', 'resources', 'http', 'webhooks'],
  testing: ['.', 'spec', 'state', 'domain', 'resources', 'webhooks', 'jobs', 'control'],
};

/** Packages with a home of their own. */
const FENCES: Readonly<Record<string, readonly string[]>> = {
  'big.js': ['domain/decimal.ts'],
  luxon: ['domain/instant.ts'],
  'currency-codes': ['domain/currencies.ts'],
  express: ['emulator.ts', 'http/fallback.ts', 'http/express-app.ts', 'control/', 'web/'],
  'find-my-way': ['http/router.ts'],
  '@stoplight/prism-http': ['http/prism.ts'],
  ajv: [
    'spec/validators.ts',
    'spec/findings.ts',
    'spec/fixture-schema.ts',
    'spec/row-shapes.ts',
    'http/gate.ts',
  ],
  'ajv-formats': ['spec/validators.ts', 'spec/row-shapes.ts'],
  yaml: ['spec/assumptions.ts', 'seed/positions.ts', 'cli/fault-file.ts', 'cli/setting-flags.ts'],
  lowdb: ['state/persistence.ts', 'state/data-file.ts'],
  '@faker-js/faker': ['seed/population/chance.ts'],
  commander: ['cli/'],
  '@clack/prompts': ['cli/progress.ts'],
  preact: ['web/'],
  'preact-render-to-string': ['web/'],
  'd3-scale': ['web/'],
  'd3-shape': ['web/'],
  'playwright-core': ['testing/browser.ts', 'testing/chromium.ts', 'testing/views.ts'],
  '@sparticuz/chromium': ['testing/chromium.ts'],
  'node:crypto': [
    'state/ids.ts',
    'webhooks/signature.ts',
    'webhooks/verify-signature.ts',
    'control/access.ts',
  ],
};

/** Expressions with one home or none. */
const HOMES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/new Date\(\)|Date\.now\(/, ['state/clock.ts']],
  [/process\.env/, ['cli/', 'testing/verb.ts']],
  [/Math\.random/, []],
];

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const files: readonly SourceFile[] = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$/.test(path))
  .map((path) => {
    const text = readFileSync(join(SOURCE, path), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)];
    return { path, room: roomOf(path), text, imports: imports.map(([, name]) => name as string) };
  });

function roomOf(path: string): string {
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

describe('the house', () => {
  it('is looked at', () => {
    expect(files.length).toBeGreaterThan(30);
  });

  it('has floors: a room imports only from the rooms below it', () => {
    const crossings = files.flatMap(({ path, room, imports }) =>
      imports
        .filter((name) => name.startsWith('.'))
        .map((name) => relative(SOURCE, resolve(SOURCE, path, '..', name)))
        .filter((target) => {
          if (target.startsWith('..')) return false;
          const to = roomOf(target);
          return to !== room && !(ROOMS[room] ?? []).includes(to);
        })
        .map((target) => `${path} imports ${target}`),
    );

    expect(crossings).toEqual([]);
  });

  it('has fences: a package is named only where it is at home', () => {
    const strays = files.flatMap(({ path, imports }) =>
      imports
        .filter((name) => {
          const homes = FENCES[name] ?? FENCES[packageOf(name)];
          return homes !== undefined && !isAtHome(path, homes);
        })
        .map((name) => `${path} imports ${name}`),
    );

    expect(strays).toEqual([]);
  });

  it('keeps the domain free of Node and of everything above it', () => {
    const impure = files.filter(
      ({ room, imports }) => room === 'domain' && imports.some((name) => name.startsWith('node:')),
    );

    expect(impure.map(({ path }) => path)).toEqual([]);
  });

  it('reads time, chance and the environment in one place each', () => {
    const strays = HOMES.flatMap(([expression, homes]) =>
      files
        .filter(({ path, text }) => expression.test(text) && !isAtHome(path, homes))
        .map(({ path }) => `${path} has ${expression.source}`),
    );

    expect(strays).toEqual([]);
  });
});
