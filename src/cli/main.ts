import { Command } from 'commander';
import { addAssumptions } from './assumptions.ts';
import { addClock } from './clock.ts';
import { addContract } from './contract.ts';
import { addExec } from './exec.ts';
import { EXIT } from './exit-codes.ts';
import { addExplain } from './explain.ts';
import { addExport } from './export.ts';
import { addFaults } from './faults.ts';
import { addImport } from './import.ts';
import { addLedger } from './ledger.ts';
import { addListen } from './listen.ts';
import { readManifest } from './manifest.ts';
import { addPayment } from './payment.ts';
import { addPopulate } from './populate.ts';
import { addProxy } from './proxy.ts';
import { addReady } from './ready.ts';
import { addRequests } from './requests.ts';
import { addReset } from './reset.ts';
import { addRun } from './run.ts';
import { addSandbox } from './sandbox.ts';
import { addSnapshot } from './snapshot.ts';
import { addStart } from './start.ts';
import { addTrigger } from './trigger.ts';
import { addWarnings } from './warnings.ts';
import { addWebhooks } from './webhooks.ts';

// A reader that goes away, such as `head`, is no reason to fail.
process.stdout.on('error', () => process.exit(0));

const { version, description } = readManifest();

const program = new Command('billing-emulator')
  .description(description)
  .version(version)
  .enablePositionalOptions()
  .showSuggestionAfterError()
  .configureOutput({ outputError: (text, write) => write(text) })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

addStart(program);
addExec(program);
addExplain(program);
addClock(program);
addReset(program);
addSnapshot(program);
addSandbox(program);
addExport(program);
addImport(program);
addFaults(program);
addPayment(program);
addLedger(program);
addRequests(program);
addWarnings(program);
addAssumptions(program);
addContract(program);
addListen(program);
addTrigger(program);
addWebhooks(program);
addPopulate(program);
addProxy(program);
addReady(program);
addRun(program);

try {
  await program.parseAsync(withVerb(process.argv));
} catch (error) {
  failBySystem(error);
}

/** A file or an address that cannot be used is said in a line. @throws what is no such thing */
function failBySystem(error: unknown): never {
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) throw error;
  process.stderr.write(`${message}\n`);
  process.exit(syscall === 'listen' ? EXIT.port : EXIT.failure);
}

/** A command line without a verb starts the emulator. */
function withVerb(line: readonly string[]): string[] {
  const [, , first] = line;
  const isHelp = ['-h', '--help', '-V', '--version'].includes(first ?? '');
  const hasVerb = first !== undefined && (isHelp || !first.startsWith('-'));
  return hasVerb ? [...line] : [...line.slice(0, 2), 'start', ...line.slice(2)];
}
