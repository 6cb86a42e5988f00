import { Command } from 'commander';
import { addContractKit } from './contract-kit.ts';
import { EXIT } from './exit-codes.ts';
import { reportFailure } from './failure.ts';
import { readManifest } from './manifest.ts';
import { addConvert } from './running/convert.ts';
import { addExec } from './running/exec.ts';
import { addReady } from './running/ready.ts';
import { addRun } from './running/run.ts';
import { addStart } from './running/start.ts';
import { addVerbs, type Verbs } from './verb.ts';
import { listenVerb } from './webhooks/listen.ts';
import { triggerVerb } from './webhooks/trigger.ts';
import { webhookVerbs } from './webhooks/webhooks.ts';
import { assumptionsVerb } from './worlds/assumptions.ts';
import { clockVerbs } from './worlds/clock.ts';
import { exportVerb, importVerb } from './worlds/exchange.ts';
import { explainVerb } from './worlds/explain.ts';
import { faultVerbs } from './worlds/faults.ts';
import { ledgerVerbs } from './worlds/ledger.ts';
import { paymentVerbs } from './worlds/payment.ts';
import { addPopulate } from './worlds/populate.ts';
import { requestVerbs } from './worlds/requests.ts';
import { resetVerb } from './worlds/reset.ts';
import { sandboxVerbs } from './worlds/sandbox.ts';
import { snapshotVerbs } from './worlds/snapshot.ts';
import { warningsVerb } from './worlds/warnings.ts';

/** In the order of the help. */
const VERBS: Verbs = [
  addStart,
  addExec,
  explainVerb,
  clockVerbs,
  resetVerb,
  snapshotVerbs,
  sandboxVerbs,
  exportVerb,
  importVerb,
  faultVerbs,
  paymentVerbs,
  ledgerVerbs,
  requestVerbs,
  warningsVerb,
  assumptionsVerb,
  addContractKit,
  listenVerb,
  triggerVerb,
  webhookVerbs,
  addPopulate,
  addReady,
  addRun,
  addConvert,
];

// A reader that goes away, such as `head`, is no reason to fail.
process.stdout.on('error', () => process.exit(0));

const { version, description } = readManifest();

const program = new Command('billing-emulator')
  .description(description)
  .version(version)
  .enablePositionalOptions()
  .showSuggestionAfterError()
  .configureOutput({ outputError: (text, write) => write(text) })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT.usage));

addVerbs(program, VERBS);

await program.parseAsync(withVerb(process.argv)).catch(reportFailure);

/** A command line without a verb starts the emulator. */
function withVerb(line: readonly string[]): string[] {
  const [, , first] = line;
  const isHelp = ['-h', '--help', '-V', '--version'].includes(first ?? '');
  const hasVerb = first !== undefined && (isHelp || !first.startsWith('-'));
  return hasVerb ? [...line] : [...line.slice(0, 2), 'start', ...line.slice(2)];
}
