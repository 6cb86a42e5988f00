import type { Command } from 'commander';
import { addFlags, ONLY, RUN_FLAGS, TARGET_FLAGS, wholeNumber } from './flags.ts';
import type { Flags } from './options.ts';

/** `billing-emulator contract`: checks a base URL against the specification. Loaded when it is used. */
export function addContract(program: Command): void {
  const contract = program
    .command('contract')
    .description('Check an emulator or a live service against the specification');
  addRuns(contract);
  addInspection(contract);
}

/** What asks a target, or an emulator in its place. */
function addRuns(contract: Command): void {
  addFlags(contract.command('run', { isDefault: true }), ...TARGET_FLAGS, ...RUN_FLAGS)
    .description('Run the checks; the default')
    .action(async (flags: Flags) => (await import('./run.ts')).run(flags));

  addFlags(contract.command('doctor'), ...TARGET_FLAGS, ...RUN_FLAGS)
    .description('Ask the target what it is, and print what a run would do')
    .action(async (flags: Flags) => (await import('./doctor.ts')).doctor(flags));

  addFlags(contract.command('drift'), ...TARGET_FLAGS, ...RUN_FLAGS)
    .description('Show where the target differs from what is assumed')
    .option('--from <file>', 'Record of an earlier run, instead of a new one')
    .option('--emit-profile <file>', 'Settings that make the emulator do as the target did')
    .action(async (flags: Flags) => (await import('./drift.ts')).drift(flags));

  addFlags(contract.command('selftest'), ONLY)
    .description('Prove that the checks notice: mutants of the emulator, and spoiled answers')
    .option('--json <file>', 'Write what was found')
    .action(async (flags: Flags) => (await import('./selftest.ts')).selftest(flags));

  addFlags(contract.command('clean'), ...TARGET_FLAGS)
    .description('Remove what runs left on a target, and list what stays')
    .option('--run <id>', 'Only what one run left')
    .action(async (flags: Flags) => (await import('./clean.ts')).clean(flags));
}

/** What reads the suite, or records of runs. */
function addInspection(contract: Command): void {
  contract
    .command('list [what]')
    .description('List checks, requirements or assumptions')
    .option('--json', 'As JSON')
    .action(async (what: string | undefined, flags: Flags) =>
      (await import('./inspect.ts')).list(what ?? 'checks', flags),
    );

  contract
    .command('explain <id>')
    .description('Say what a check, a requirement or an assumption is about')
    .action(async (id: string) => (await import('./inspect.ts')).explain(id));

  contract
    .command('coverage <records...>')
    .description('Show which operations and statuses some runs have seen')
    .option('--gate-cells <number>', 'Fewest cells that must be asserted', wholeNumber)
    .option('--all', 'Every cell, not only those not asserted')
    .action(async (records: readonly string[], flags: Flags) =>
      (await import('./coverage.ts')).coverage(records, flags),
    );
}
