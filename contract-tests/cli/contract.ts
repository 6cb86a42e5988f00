import type { Command } from 'commander';
import type { Flags } from '../kit/run/read-options.ts';
import { addFlags, ONLY, RUN_FLAGS, TARGET_FLAGS, wholeNumber } from './flags.ts';
import { RUN_NOTES } from './notes.ts';

/**
 * `billing-emulator contract`: checks a base URL against the specification. Each command's code is loaded when it runs.
 */
export function addContract(program: Command): void {
  const contract = program
    .command('contract')
    .description('Check an emulator or a live service against the specification');
  addRuns(contract);
  contract.addHelpText('after', () => `\n${helpOfRun(contract)}`);
  addInspection(contract);
}

/** The flags and notes of `run`, which also runs without its name. */
function helpOfRun(contract: Command): string {
  const run = contract.commands.find((command) => command.name() === 'run') as Command;
  const help = run.createHelp();
  const flags = help
    .visibleOptions(run)
    .map((option) =>
      help.formatItem(
        help.optionTerm(option),
        help.padWidth(run, help),
        help.optionDescription(option),
        help,
      ),
    );
  return ['Flags of run:', ...flags, RUN_NOTES].join('\n');
}

/** Commands that send requests to a target or start an emulator. */
function addRuns(contract: Command): void {
  addFlags(contract.command('run', { isDefault: true }), { ...TARGET_FLAGS, ...RUN_FLAGS })
    .description('Run the checks (default)')
    .addHelpText('after', RUN_NOTES)
    .action(ending(async (flags: Flags) => (await import('./run.ts')).run(flags)));

  addFlags(contract.command('doctor'), { ...TARGET_FLAGS, ...RUN_FLAGS })
    .description('Inspect the target and print what a run would do')
    .action(ending(async (flags: Flags) => (await import('./doctor.ts')).doctor(flags)));

  addFlags(contract.command('drift'), { ...TARGET_FLAGS, ...RUN_FLAGS })
    .description('Show where the target differs from the assumptions')
    .option('--from <file>', 'Use the record of an earlier run instead of a new run')
    .option('--emit-profile <file>', 'Write settings that make the emulator behave like the target')
    .action(ending(async (flags: Flags) => (await import('./drift.ts')).drift(flags)));

  addFlags(contract.command('selftest'), ONLY)
    .description(
      'Prove that the checks can fail, with mutants of the emulator and corrupted responses',
    )
    .option('--json <file>', 'Write the result as JSON')
    .action(async (flags: Flags) => (await import('./selftest.ts')).selftest(flags));

  addFlags(contract.command('clean'), TARGET_FLAGS)
    .description('Remove what runs left on a target, and list what remains')
    .option('--run <id>', 'Only what this run left')
    .action(ending(async (flags: Flags) => (await import('./clean.ts')).clean(flags)));
}

/** Commands that read the suite or run records. */
function addInspection(contract: Command): void {
  contract
    .command('list [what]')
    .description('List checks (default), requirements or assumptions, or explain one by its id')
    .option('--json', 'Print a list as JSON')
    .action(async (what: string | undefined, flags: Flags) =>
      (await import('./inspect.ts')).list(what ?? 'checks', flags),
    );

  contract
    .command('coverage <records...>')
    .description('Show which operations and statuses runs have covered')
    .option('--gate-cells <number>', 'Minimum number of cells that must be asserted', wholeNumber())
    .option('--all', 'Show every cell, not only those not asserted')
    .action(
      ending(async (records: readonly string[], flags: Flags) =>
        (await import('./coverage.ts')).coverage(records, flags),
      ),
    );
}

/** An action that ends the process with the exit code that `work` returns. */
const ending =
  <Given extends readonly unknown[]>(work: (...given: Given) => Promise<number>) =>
  async (...given: Given) =>
    (await import('./ended.ts')).ended(() => work(...given));
