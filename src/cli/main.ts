import { Command } from 'commander';
import { addContractKit } from './contract-kit.ts';
import { EXIT } from './exit-codes.ts';
import { readManifest } from './manifest.ts';
import { addExec } from './running/exec.ts';
import { addReady } from './running/ready.ts';
import { addRun } from './running/run.ts';
import { addStart } from './running/start.ts';
import { addListen } from './webhooks/listen.ts';
import { addTrigger } from './webhooks/trigger.ts';
import { addWebhooks } from './webhooks/webhooks.ts';
import { addAssumptions } from './worlds/assumptions.ts';
import { addClock } from './worlds/clock.ts';
import { addExplain } from './worlds/explain.ts';
import { addExport } from './worlds/export.ts';
import { addFaults } from './worlds/faults.ts';
import { addImport } from './worlds/import.ts';
import { addLedger } from './worlds/ledger.ts';
import { addPayment } from './worlds/payment.ts';
import { addPopulate } from './worlds/populate.ts';
import { addRequests } from './worlds/requests.ts';
import { addReset } from './worlds/reset.ts';
import { addSandbox } from './worlds/sandbox.ts';
import { addSnapshot } from './worlds/snapshot.ts';
import { addWarnings } from './worlds/warnings.ts';

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
addContractKit(program);
addListen(program);
addTrigger(program);
addWebhooks(program);
addPopulate(program);
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
