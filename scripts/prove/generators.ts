import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmulator } from '../../src/embed/embedded.ts';
import { writeTable } from '../write-table.ts';

/**
 * `npm run prove -- generators [NAME]`: generates a client from the served document with the newest version of each
 * code generator, compiles it, and sells, uses and bills with it. A run of all writes the table of
 * `docs/testing.md` if each of them could be installed.
 */
const FLOWS = fileURLToPath(new URL('generators/', import.meta.url));
const run = promisify(execFile);

/** A code generator with its shell commands, which run in an empty folder. */
interface CodeGenerator {
  readonly name: string;
  /** The served document that it reads. Its commands get the address as `$DOCUMENT`. */
  readonly document: 'openapi.json' | 'openapi-without-webhooks.json';
  /** The programs that must be on the machine, besides Node. */
  readonly needs: readonly string[];
  /** Installs the newest version that runs here. */
  readonly install: string;
  /** Prints that version. */
  readonly version: string;
  readonly generate: string;
  /** The program in the folder beside that uses the generated client, and its name next to the client. */
  readonly flow: readonly [file: string, name: string];
  readonly compile: string;
  readonly run: string;
}

/** The generators that are tried, one for each of four languages. */
const CODE_GENERATORS: readonly CodeGenerator[] = [
  {
    name: 'openapi-typescript, openapi-fetch',
    document: 'openapi.json',
    needs: [],
    install:
      "npm init -y && npm pkg set type=module && npm install --no-audit --no-fund 'openapi-typescript@*' 'openapi-fetch@*' typescript@5 tsx @types/node@20",
    version:
      'npm ls openapi-typescript --depth 0 --json | sed -n \'s/.*"version": "\\(.*\\)",*/\\1/p\' | tail -1',
    generate: 'npx openapi-typescript $DOCUMENT -o generated.d.ts',
    flow: ['openapi-typescript.ts', 'flow.ts'],
    compile:
      'npx tsc --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom flow.ts',
    run: 'npx tsx flow.ts',
  },
  {
    name: 'openapi-python-client',
    document: 'openapi.json',
    needs: ['python3'],
    install: 'python3 -m venv py && py/bin/pip install -q openapi-python-client',
    version: "py/bin/openapi-python-client --version | sed 's/.*: //'",
    generate:
      'PATH=$PWD/py/bin:$PATH openapi-python-client generate --url $DOCUMENT --meta none --output-path generated',
    flow: ['openapi-python-client.py', 'flow.py'],
    compile: 'py/bin/python -m compileall -q generated flow.py',
    run: 'py/bin/python flow.py',
  },
  {
    name: 'oapi-codegen',
    document: 'openapi-without-webhooks.json',
    needs: ['go'],
    install:
      'GOBIN=$PWD/bin go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@latest',
    version: 'bin/oapi-codegen -version | tail -1',
    generate:
      'mkdir generated && bin/oapi-codegen -generate types,client -package generated -o generated/client.go $DOCUMENT',
    flow: ['oapi-codegen.go', 'flow.go'],
    compile: 'go mod init flow && go mod tidy && go vet ./...',
    run: 'go run .',
  },
  {
    // A Java program for many languages, which comes from Maven Central.
    name: 'openapi-generator, java',
    document: 'openapi-without-webhooks.json',
    needs: ['java', 'mvn'],
    install:
      'mvn -q dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:LATEST -DoutputDirectory=. -Dmdep.stripVersion=true',
    version: 'java -jar openapi-generator-cli.jar version',
    generate:
      'java -jar openapi-generator-cli.jar generate -i $DOCUMENT -g java --library okhttp-gson --invoker-package generated --api-package generated --model-package generated -o .',
    flow: ['openapi-generator.java', 'src/main/java/Flow.java'],
    compile:
      'mvn -q -B -Dmaven.test.skip=true compile dependency:build-classpath -Dmdep.outputFile=classpath',
    run: 'java -cp "target/classes:$(cat classpath)" Flow',
  },
];

/** Balance before, fee of one of two calls at 0.25 USD, `tokens` of the call, and balance after. */
const EXPECTED = [0, 0.25, 1200, -0.5];

/** The outcome of a generator: the step it reached, and why it failed. */
interface CheckRun {
  readonly generator: CodeGenerator;
  readonly version: string;
  readonly passed: readonly ('generate' | 'compile' | 'run')[];
  readonly failure: string;
}

const [only = ''] = process.argv.slice(2);
const emulator = await startEmulator();
const trials: CheckRun[] = [];
for (const generator of CODE_GENERATORS.filter(({ name }) => name.includes(only))) {
  const trial = await tryGenerator(generator, emulator.url);
  trials.push(trial);
  process.stdout.write(`${row(trial)}\n${trial.failure.slice(-4000)}`);
}
await emulator.close();

function row({ generator, version, passed }: CheckRun): string {
  const cells = (['generate', 'compile', 'run'] as const).map((each) =>
    passed.includes(each) ? 'yes' : 'no',
  );
  return `| ${[generator.name, version, `\`/${generator.document}\``, ...cells].join(' | ')} |`;
}

if (only === '' && trials.every(({ version }) => version !== '')) {
  const page = new URL('../../docs/testing.md', import.meta.url);
  const head = [
    '| generator | version | document | generated | compiles | flow completed |',
    '|---|---|---|---|---|---|',
  ];
  const date = new Date().toISOString().slice(0, 10);
  const table = [...head, ...trials.map(row), '', `Tried on ${date}, on Node ${process.version}.`];
  writeTable(page, 'generators', table);
}
if (trials.length === 0 || trials.some(({ failure }) => failure !== '')) process.exitCode = 1;

/** Installs, generates, compiles and runs in a new folder, against the emulator at an address. */
async function tryGenerator(generator: CodeGenerator, url: string): Promise<CheckRun> {
  const folder = await mkdtemp(join(tmpdir(), 'generator-'));
  const key = `key_test_${generator.name.replaceAll(/\W+/g, '')}`;
  const env = {
    ...process.env,
    DOCUMENT: `${url}/${generator.document}`,
    BILLING_URL: url,
    BILLING_KEY: key,
  };
  const shell = async (command: string) =>
    (await run('bash', ['-ec', command], { cwd: folder, env, maxBuffer: 2 ** 26 })).stdout.trim();
  const passed: CheckRun['passed'][number][] = [];
  let version = '';
  try {
    const lacks = `for each in ${generator.needs.join(' ')}; do type $each >&2 || echo $each; done`;
    const missing = await shell(lacks);
    if (missing !== '') throw new Error(`Not tried: this machine lacks ${missing}.`);
    await shell(generator.install);
    version = await shell(generator.version);
    await shell(generator.generate);
    passed.push('generate');
    const [file, name] = generator.flow;
    await copyFile(join(FLOWS, file), join(folder, name));
    await shell(generator.compile);
    passed.push('compile');
    const printed = await shell(generator.run);
    if (String(printed.split(/\s+/).map(Number)) !== String(EXPECTED))
      throw new Error(`expected ${EXPECTED.join(' ')}; got ${printed}`);
    passed.push('run');
    return { generator, version, passed, failure: '' };
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & Partial<Record<string, string>>;
    return { generator, version, passed, failure: [message, stdout, stderr].join('\n') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
