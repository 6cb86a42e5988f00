import { didYouMean, printable } from 'billing-emulator/spec';
import type { Command } from 'commander';
import type { Flags } from '../kit/run/read-options.ts';
import { addFlags, ONLY, RUN_FLAGS, TARGET_FLAGS } from './flags.ts';

/** What the help says after the flags. */
const RUN_NOTES = `
Effect classes, of which --effects names the highest allowed:
  E0  reads
  E1  must be rejected, or computes without storing
  E2  can be undone: webhook destinations, unpublished products
  E3  permanent but inert: customers, assets, usage events, adjustments
  E4  money-like, or reaches other people: charges, top-ups, portal sessions
By default E4 on a fresh emulator or a test account on this machine, E2 on other test accounts, E0 on live ones.

Exit codes:
  0         everything that ran passed; the last line says what did not run
  1         a check failed
  2, 3      wrong usage; a file, variable, address or selection that is not usable
  10        not allowed on this account, or a budget is used up
  12        nothing was proved
  13        the target is unreachable, stopped responding or rejected the key
  14        something was not removed
  70        the suite itself failed
  130       the run was interrupted

Examples:
  billing-emulator contract
  billing-emulator contract --base-url https://billing.example --key-env BILLING_KEY --effects E0
  billing-emulator contract --base-url http://127.0.0.1:24100 --key-env KEY --report junit=contract.xml
  billing-emulator contract --only 'WAL-*,events'
  billing-emulator contract doctor --base-url https://billing.example --key-env BILLING_KEY`;

/**
 * `billing-emulator contract`: checks a base URL against the specification. Each command's code is loaded when it runs.
 */
export function addContract(program: Command): void {
  const contract = program
    .command('contract')
    .description('Check an emulator or a live service against the specification');
  const run = addRuns(contract);
  addInspection(contract);
  refuseUnknownCommands(contract, run);
  contract.addHelpText(
    'after',
    () => `\nAs \`contract run\`:\n\n${run.helpInformation()}${RUN_NOTES}`,
  );
}

/** Without it, a misspelt command is an argument too many of `run`. */
function refuseUnknownCommands(contract: Command, run: Command): void {
  run.allowExcessArguments().hook('preAction', () => {
    const [word] = run.args;
    if (word === undefined) return;
    const names = contract.commands.map((each) => each.name());
    run.error(`error: unknown command '${word}'.${didYouMean(word, names)}`, { exitCode: 2 });
  });
}

/** Commands that send requests to a target or start an emulator. Returns the one that runs the checks. */
function addRuns(contract: Command): Command {
  const run = addFlags(contract.command('run', { isDefault: true }), {
    ...TARGET_FLAGS,
    ...RUN_FLAGS,
  })
    .description('Run the checks (default)')
    .addHelpText('after', RUN_NOTES)
    .action(ending(async (flags: Flags) => (await import('./run.ts')).run(flags)));

  addFlags(contract.command('doctor'), { ...TARGET_FLAGS, ...RUN_FLAGS })
    .description('Inspect the target and print what a run would do')
    .action(ending(async (flags: Flags) => (await import('./doctor.ts')).doctor(flags)));

  addFlags(contract.command('selftest'), ONLY)
    .description(
      'Prove that the checks can fail, with mutants of the emulator and corrupted responses',
    )
    .action(ending(async (flags: Flags) => (await import('./selftest.ts')).selftest(flags)));

  addFlags(contract.command('clean'), { ...TARGET_FLAGS, '--base-url <url>': 'URL of the target' })
    .description('Remove what runs left on a target, and list what remains')
    .option('--run <id>', 'Only what this run left')
    .action(ending(async (flags: Flags) => (await import('./clean.ts')).clean(flags)));
  return run;
}

/** Commands that read the suite or run records. */
function addInspection(contract: Command): void {
  contract
    .command('list [what]')
    .description('List checks (default), requirements or assumptions')
    .option('--json', 'Print a list as JSON')
    .action(async (what: string | undefined, flags: Flags) =>
      (await import('./inspect.ts')).list(what ?? 'checks', flags),
    );
}

/** An action that ends the process with the exit code that `work` returns, or with the code for the error that it throws. */
const ending =
  <Given extends readonly unknown[]>(work: (...given: Given) => Promise<number>) =>
  async (...given: Given) => {
    try {
      process.exit(await work(...given));
    } catch (error) {
      const { EXIT_CODES, exitCodeOf } = await import('../kit/run/verdict.ts');
      const code = exitCodeOf(error);
      const { message, stack } = error as Error;
      process.stderr.write(`${printable(`${code === EXIT_CODES.harness ? stack : message}`)}\n`);
      process.exit(code);
    }
  };
