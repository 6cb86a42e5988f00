import { startEmulator } from '../../src/embed/embedded.ts';
import { writeTable } from '../write-table.ts';
import { CODE_GENERATORS } from './generators/table.ts';
import { type CheckRun, tryGenerator } from './generators/try.ts';

/**
 * `npm run prove -- generators [NAME]`: generates a client from the served document with the newest version of each
 * code generator, compiles it, and sells, uses and bills with it. A run of all writes the table of
 * `docs/testing.md` if each of them could be installed.
 */
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
