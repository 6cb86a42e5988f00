import { Command } from 'commander';
import { packageManifest } from '../config/package-manifest.ts';
import { printable } from '../text/wording.ts';
import { callCommand } from './call.ts';
import { addCommands, type Commands } from './command.ts';
import { addContractKit } from './contract-kit.ts';
import { examplesOf } from './examples.ts';
import { EXIT } from './failure.ts';
import { mcpCommand } from './mcp.ts';
import { addDoctor } from './running/doctor.ts';
import { addExec } from './running/exec.ts';
import { addReady } from './running/ready.ts';
import { addRun } from './running/run.ts';
import { addStart } from './running/start.ts';
import { stopCommand } from './running/stop.ts';
import { listenCommand } from './webhooks/listen.ts';
import { triggerCommand } from './webhooks/trigger.ts';
import { clockCommands } from './worlds/clock.ts';
import { explainCommand, ledgerCommands } from './worlds/ledger.ts';
import { addPopulate } from './worlds/populate.ts';
import { requestCommands } from './worlds/requests.ts';
import {
  exportCommand,
  importCommand,
  resetCommand,
  snapshotCommands,
  undoCommand,
} from './worlds/state.ts';

/** In the order of the help. */
const COMMANDS: Commands = [
  addStart,
  stopCommand,
  addExec,
  addDoctor,
  callCommand,
  explainCommand,
  clockCommands,
  resetCommand,
  undoCommand,
  snapshotCommands,
  exportCommand,
  importCommand,
  ledgerCommands,
  requestCommands,
  addContractKit,
  listenCommand,
  triggerCommand,
  mcpCommand,
  addPopulate,
  addReady,
  addRun,
];

/** A command that can be run, by its words. */
interface NamedCommand {
  readonly words: string;
  readonly command: Command;
}

/** All commands of a program. The name of a command in a group includes the group. */
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
  addCommands(program, COMMANDS);
  for (const { words, command } of commandsOf(program)) {
    const lines = examplesOf(words).map((line) => `  billing-emulator ${line}`);
    command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  }
  return program;
}
