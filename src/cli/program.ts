import { Command } from 'commander';
import { packageManifest } from '../config/package-manifest.ts';
import { printable } from '../text/wording.ts';
import { anyCallVerb } from './call.ts';
import { addContractKit } from './contract-kit.ts';
import { EXIT } from './failure.ts';
import { mcpVerb } from './mcp.ts';
import { addDoctor } from './running/doctor.ts';
import { addExec } from './running/exec.ts';
import { addReady } from './running/ready.ts';
import { addRun } from './running/run.ts';
import { addStart } from './running/start.ts';
import { addStop } from './running/stop.ts';
import { addVerbs, type Verbs } from './verb.ts';
import { notesOf } from './verb-notes.ts';
import { listenVerb } from './webhooks/listen.ts';
import { triggerVerb } from './webhooks/trigger.ts';
import { clockVerbs } from './worlds/clock.ts';
import { faultVerbs } from './worlds/faults.ts';
import { explainVerb, ledgerVerbs } from './worlds/ledger.ts';
import { paymentVerbs } from './worlds/payment.ts';
import { addPopulate } from './worlds/populate.ts';
import { requestVerbs } from './worlds/requests.ts';
import { exportVerb, importVerb, resetVerb, snapshotVerbs, undoVerb } from './worlds/state.ts';

/** In the order of the help. */
const VERBS: Verbs = [
  addStart,
  addStop,
  addExec,
  addDoctor,
  anyCallVerb,
  explainVerb,
  clockVerbs,
  resetVerb,
  undoVerb,
  snapshotVerbs,
  exportVerb,
  importVerb,
  faultVerbs,
  paymentVerbs,
  ledgerVerbs,
  requestVerbs,
  addContractKit,
  listenVerb,
  triggerVerb,
  mcpVerb,
  addPopulate,
  addReady,
  addRun,
];

/** A verb that can be run, by its words. */
interface NamedCommand {
  readonly words: string;
  readonly command: Command;
}

/** All verbs of a program. The name of a verb in a group includes the group. */
export function commandsOf(
  command: Command,
  before: readonly string[] = [],
): readonly NamedCommand[] {
  return command.commands.flatMap((each) => {
    const words = [...before, each.name()];
    return each.commands.length > 0
      ? commandsOf(each, words)
      : [{ words: words.join(' '), command: each }];
  });
}

/** Creates the whole command line, with the version of the package. */
export function createProgram(): Command {
  const { version, description } = packageManifest();
  const program = new Command('billing-emulator')
    .description(description)
    .version(version)
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(printable(text)) })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT.usage));
  addVerbs(program, VERBS);
  for (const { words, command } of commandsOf(program)) {
    const { examples, exits } = notesOf(words);
    const lines = examples.map((line) => `  billing-emulator ${line}`);
    command.addHelpText(
      'after',
      `\nExamples:\n${lines.join('\n')}\n\nExit codes: ${exits.join(', ')}`,
    );
  }
  return program;
}
