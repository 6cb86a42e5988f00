import { readdirSync, readFileSync } from 'node:fs';
import { ROOT } from '../../build/places.ts';

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
const everyCommand = (): string =>
  PAGES.map((text) =>
    [...text.matchAll(COMMANDS)]
      .filter(([, elsewhere]) => elsewhere === undefined)
      .map(([, , body]) => body)
      .join(''),
  )
    .filter((commands) => commands !== '')
    .map((commands) => `(\n${commands})\n`)
    .join('');

export interface Arrival {
  readonly who: string;
  /** Files besides those of the documentation. */
  readonly files?: Readonly<Record<string, string>>;
  /** The arrival whose files and commands are used. Default: this one. */
  readonly docs?: string;
  /** npm packages besides that of the emulator. */
  readonly packages?: string;
  /** Whether it also installs the contract suite. */
  readonly hasSuite?: boolean;
  /** Programs that must be installed already. */
  readonly needs?: readonly string[];
  /** What it must be allowed to, and a command that succeeds where it is. */
  readonly right?: { readonly to: string; readonly shownBy: string };
  /** Commands that run before those of the documentation. */
  readonly commands?: readonly string[];
  /** A command that prints the versions it ran with. */
  readonly version: string;
}

const CHECKED_THROUGH = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
    types: ['node'],
  },
  include: ['*.ts'],
};
const { compilerOptions, ...rest } = CHECKED_THROUGH;
const LENIENT = { compilerOptions: { ...compilerOptions, skipLibCheck: true }, ...rest };
const tsconfig = (config: object) => ({ 'tsconfig.json': JSON.stringify(config) });
const TYPESCRIPT = 'typescript@5.9 @types/node@20';
const ENTRIES = ['', '/client', '/spec']
  .map((entry, index) => `export * as entry${index} from 'billing-emulator${entry}';\n`)
  .join('');

/** A command that prints the versions of a package in the current folder and of Node. */
const installed = (title: string, name: string) =>
  `node -p "'${title} ' + JSON.parse(fs.readFileSync('node_modules/${name}/package.json')).version + ', Node ' + process.versions.node"`;

const NODE = 'echo "Node $(node -p process.versions.node)"';

/** A file of the folder `journeys`. */
const journey = (name: string) => ({
  [name]: readFileSync(new URL(`journeys/${name}`, import.meta.url), 'utf8'),
});

/** A recipe that runs and is type-checked under a release of Vitest. */
const vitest = (packages: string) => ({
  docs: 'vitest',
  packages,
  files: tsconfig(LENIENT),
  commands: ['npx vitest run', 'npx tsc'],
  version: installed('Vitest', 'vitest'),
});

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>example</groupId><artifactId>customers</artifactId><version>1</version>
<properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.11.4</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.2</version></plugin></plugins></build></project>`;

/** The workflows and actions of this repository, and the scripts of the actions. */
const OWN_WORKFLOWS = Object.fromEntries(
  [
    ...['ci', 'release'].map((name) => `.github/workflows/${name}.yml`),
    'action.yml',
    'action/start.js',
    'action/stop.js',
    'action/contract/action.yml',
  ].map((file) => [file, readFileSync(ROOT + file, 'utf8')]),
);

/** Arrivals by name. */
export const ARRIVALS: Readonly<Record<string, Arrival>> = {
  types: {
    who: 'a TypeScript developer, every declaration checked',
    packages: TYPESCRIPT,
    files: { ...tsconfig(CHECKED_THROUGH), 'entries.ts': ENTRIES },
    commands: ['npx tsc'],
    version: installed('TypeScript', 'typescript'),
  },
  vitest3: {
    who: 'a TypeScript developer, Vitest 3',
    ...vitest(`vitest@3 ${TYPESCRIPT}`),
  },
  vitest4: {
    who: 'a TypeScript developer, Vitest 4',
    ...vitest(`vitest@4 ${TYPESCRIPT}`),
  },
  vitest5: {
    who: 'a TypeScript developer, Vitest 5, on the newer Node that it needs',
    ...vitest(`vitest@5 typescript@5.9 @types/node@22 node-linux-${process.arch}@24`),
  },
  playwright: {
    who: 'a TypeScript developer, Playwright without a browser',
    packages: `@playwright/test ${TYPESCRIPT}`,
    files: tsconfig(CHECKED_THROUGH),
    commands: ['npx playwright test', 'npx tsc'],
    version: installed('Playwright', '@playwright/test'),
  },
  jest: {
    who: 'a JavaScript developer, Jest',
    packages: 'jest@30',
    commands: ['NODE_OPTIONS=--experimental-vm-modules npx jest'],
    version: installed('Jest', 'jest'),
  },
  node: {
    who: 'a JavaScript developer, node:test',
    commands: ['node --test'],
    version: NODE,
  },
  pytest: {
    who: 'a Python team',
    needs: ['python3'],
    commands: ['python3 -m venv .venv', 'pip install --quiet pytest'],
    version: 'echo "$(python3 -m pytest --version), $(python3 --version)"',
  },
  junit: {
    who: 'a QA engineer with Java',
    files: { 'pom.xml': POM },
    needs: ['java', 'mvn'],
    version: `echo "JUnit 5.11.4, $(mvn --version | sed 's/\\x1b\\[[0-9;]*m//g' | sed -n '1s/Apache //; 1s/ (.*//; 1p; s/^Java version: \\([0-9.]*\\).*/Java \\1/p' | paste -sd, | sed 's/,/, /')"`,
  },
  go: {
    who: 'a QA engineer with Go',
    files: { 'go.mod': 'module example.com/customers\n\ngo 1.22\n' },
    needs: ['go'],
    version: `go version | sed 's/.*go\\([0-9][0-9.]*\\).*/Go \\1/'`,
  },
  qa: {
    who: 'a QA engineer at the command line: every command of the documentation',
    files: { 'commands.sh': everyCommand() },
    needs: ['curl'],
    commands: [
      `npx billing-emulator exec -- sh -ec '
        sed -i "s|http://127.0.0.1:24100|$BILLING_EMULATOR_URL|g" commands.sh
        bash -euo pipefail commands.sh'`,
      'npx billing-emulator run outage.yaml customers.yaml',
      'npx billing-emulator exec --clock frozen -- npx billing-emulator ledger verify',
    ],
    version: NODE,
  },
  integrator: {
    who: 'an integrator: an application under test, with a receiver and the clock of its world',
    files: journey('integrator.mjs'),
    commands: ['node --test integrator.mjs'],
    version: NODE,
  },
  tester: {
    who: 'a tester at the command line: start and stop, hints, events, populations, runs',
    files: journey('tester.sh'),
    needs: ['curl'],
    commands: ['bash -euo pipefail tester.sh'],
    version: NODE,
  },
  namespaces: {
    who: 'whoever sets up CI: the jobs of the contract suite, from one network namespace to another',
    docs: 'ci',
    hasSuite: true,
    files: journey('namespaces.sh'),
    needs: ['ip', 'curl'],
    right: {
      to: 'make network namespaces',
      shownBy: 'ip netns add arrivals-$$ && ip netns del arrivals-$$',
    },
    commands: ['chmod +x pay.sh', 'bash -euo pipefail namespaces.sh'],
    version: NODE,
  },
  ci: {
    who: 'whoever sets up CI: workflows, actions, a pipeline and compose, not run but checked',
    files: OWN_WORKFLOWS,
    needs: ['python3', 'go'],
    commands: [
      'python3 -m venv .venv && pip install --quiet check-jsonschema',
      'check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml',
      'check-jsonschema --builtin-schema vendor.github-actions action.yml action/contract/action.yml',
      'check-jsonschema --builtin-schema vendor.gitlab-ci .gitlab-ci.yml',
      'check-jsonschema --builtin-schema vendor.compose-spec compose.yaml',
      'GOBIN=$PWD go install github.com/rhysd/actionlint/cmd/actionlint@latest',
      './actionlint .github/workflows/*.yml',
    ],
    version: `echo "actionlint $(./actionlint -version | head -1), $(check-jsonschema --version | sed 's/, version//')"`,
  },
};
