import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmulator } from '../../src/embed/embedded.ts';
import { writeTable } from '../write-table.ts';
import { CODE_GENERATORS, type CodeGenerator } from './generators/table.ts';

/**
 * `npm run prove -- generators [NAME]`: generates a client from the served document with the newest version of each
 * code generator, compiles it, and sells, uses and bills with it. A run of all writes the table of
 * `docs/testing.md` if each of them could be installed.
 */
const FLOWS = fileURLToPath(new URL('generators/flows/', import.meta.url));
const run = promisify(execFile);

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
