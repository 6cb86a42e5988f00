import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Follows `docs/` to the letter, from empty folders with the packed package, as people arrive: a developer with
 * TypeScript, a team with Python and CI, an engineer of quality with Java, Go and the command line. Needs the
 * registries of npm, PyPI, Go and Maven, and minutes. `npm run prove -- arrivals [NAME …]`.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCS = ['testing', 'container', 'fixtures', 'faults'];

interface Arrival {
  readonly who: string;
  /** Files beside those of the documentation. */
  readonly files?: Readonly<Record<string, string>>;
  /** The folder of the documentation's blocks; the name of the arrival unless given. */
  readonly docs?: string;
  readonly packages?: string;
  /** Run beside the commands that the documentation gives. */
  readonly commands?: readonly string[];
}

const STRICT = JSON.stringify({
  compilerOptions: {
    ...{ target: 'ES2023', module: 'NodeNext', strict: true, noEmit: true, skipLibCheck: false },
    ...{ lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'], types: ['node'] },
  },
  include: ['*.ts'],
});
const ENTRIES = ['', '/client', '/spec', '/internals']
  .map((entry, index) => `export * as entry${index} from 'billing-emulator${entry}';\n`)
  .join('');
const typescript = 'typescript@5.9 @types/node@20';

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>example</groupId><artifactId>customers</artifactId><version>1</version>
<properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.11.4</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.2</version></plugin></plugins></build></project>`;

/** By name. */
const ARRIVALS: Readonly<Record<string, Arrival>> = {
  types: {
    who: 'a TypeScript developer, every declaration checked',
    packages: typescript,
    files: { 'tsconfig.json': STRICT, 'entries.ts': ENTRIES },
    commands: ['npx tsc'],
  },
  vitest3: {
    who: 'a TypeScript developer, Vitest 3',
    docs: 'vitest',
    packages: `vitest@3 ${typescript}`,
    files: { 'tsconfig.json': STRICT.replace('"skipLibCheck":false', '"skipLibCheck":true') },
    commands: ['npx vitest run', 'npx tsc'],
  },
  vitest4: {
    who: 'a TypeScript developer, Vitest 4',
    docs: 'vitest',
    packages: `vitest@4.1 ${typescript}`,
    files: { 'tsconfig.json': STRICT.replace('"skipLibCheck":false', '"skipLibCheck":true') },
    commands: ['npx vitest run', 'npx tsc'],
  },
  vitest5: {
    who: 'a TypeScript developer, Vitest 5, types only',
    docs: 'vitest',
    packages: 'vitest@5 typescript@5.9 @types/node@22',
    files: { 'tsconfig.json': STRICT.replace('"skipLibCheck":false', '"skipLibCheck":true') },
    commands: ['npx tsc'],
  },
  playwright: {
    who: 'a TypeScript developer, Playwright without a browser',
    packages: `@playwright/test ${typescript}`,
    files: { 'tsconfig.json': STRICT },
    commands: ['npx playwright test', 'npx tsc'],
  },
  jest: {
    who: 'a JavaScript developer, Jest',
    packages: 'jest@30',
    commands: ['NODE_OPTIONS=--experimental-vm-modules npx jest'],
  },
  node: { who: 'a JavaScript developer, node:test', commands: ['node --test'] },
  pytest: {
    who: 'a Python team with CI',
    commands: [
      'python3 -m venv .venv && .venv/bin/pip install --quiet check-jsonschema',
      '.venv/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml',
      '.venv/bin/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml',
      'GOBIN=$PWD go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.7 && ./actionlint .github/workflows/*.yml',
    ],
  },
  junit: { who: 'an engineer of quality with Java', files: { 'pom.xml': POM } },
  go: {
    who: 'an engineer of quality with Go',
    files: { 'go.mod': 'module example.com/customers\n\ngo 1.22\n' },
  },
  qa: {
    who: 'an engineer of quality at the command line',
    commands: [
      'npx billing-emulator doctor --port 0',
      'npx billing-emulator run credit-runs-out',
      'npx billing-emulator exec --clock frozen -- npx billing-emulator ledger verify',
      'npx billing-emulator exec -- npx billing-emulator faults add --operation submitEvents --status 503',
    ],
  },
};

const BLOCK = /<!-- (arrivals|elsewhere: arrivals)[: ]+(\S+) ?(\S*) -->\n\n```\w+\n([\s\S]*?)```/g;

/** What the documentation gives a folder: files, and commands in their order. */
function documented(folder: string) {
  const text = DOCS.map((name) => readFileSync(join(ROOT, `docs/${name}.md`), 'utf8')).join('\n');
  const blocks = [...text.matchAll(BLOCK)].filter(([, , name]) => name === folder);
  return {
    files: Object.fromEntries(
      blocks.filter(([, kind]) => kind === 'arrivals').map(([, , , file, body]) => [file, body]),
    ) as Record<string, string>,
    commands: blocks
      .filter(([, kind]) => kind !== 'arrivals')
      .map(([, , , , body]) => body?.trim()),
  };
}

function play(name: string, arrival: Arrival, tarball: string, parent: string): boolean {
  const { who, files, docs = name, packages, commands = [] } = arrival;
  const begun = performance.now();
  const folder = join(parent, name);
  const given = documented(docs);
  mkdirSync(folder);
  cpSync(tarball, join(folder, basename(tarball)));
  const manifest = { private: true, type: 'module', allowScripts: {} };
  const all = { 'package.json': JSON.stringify(manifest), ...files, ...given.files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const install = `npm install --save-dev --no-audit --no-fund ./${basename(tarball)} ${packages ?? ''}`;
  for (const command of [install, ...commands, ...given.commands]) {
    const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', `${command}`], {
      ...{ cwd: folder, encoding: 'utf8', env: { ...process.env, CI: '1' } },
    });
    if (status === 0) continue;
    process.stdout.write(`failed  ${name}: ${command}\n${stdout}${stderr}\n`);
    return false;
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  process.stdout.write(`played  ${name.padEnd(10)}  ${seconds.padStart(3)} s  ${who}\n`);
  return true;
}

const folder = mkdtempSync(join(tmpdir(), 'arrivals-'));
try {
  const pack = ['pack', '--silent', '--pack-destination', folder];
  const { stdout, status } = spawnSync('npm', pack, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error('The package cannot be packed.');
  const tarball = join(folder, stdout.trim().split('\n').at(-1) as string);
  const wanted = process.argv.slice(2);
  const names = Object.keys(ARRIVALS).filter(
    (name) => wanted.length === 0 || wanted.includes(name),
  );
  const results = names.map((name) => play(name, ARRIVALS[name] as Arrival, tarball, folder));
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
