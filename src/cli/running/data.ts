import type { Command } from 'commander';
import { SETTINGS } from '../../config/settings.ts';
import { checkData, type DataVerdict, repairData } from '../../store/storage/check-data.ts';
import type { Flaw } from '../../store/storage/data-error.ts';
import { plural } from '../../text/plural.ts';
import { EXIT } from '../exit-codes.ts';
import { print } from '../print.ts';

/** `billing-emulator data`: reports what is wrong with a data file, and repairs it. */
export function addData(program: Command): void {
  const group = program
    .command('data')
    .description('Check and repair data files that no emulator has open');
  const withFlags = (command: Command) =>
    command
      .option(
        '--reporting-currency <code>',
        'Currency of revenue, if release 0.1.0 wrote the file',
        SETTINGS.reporting_currency.preset,
      )
      .option('--json', 'Print JSON');
  withFlags(group.command('check <file>'))
    .description('List everything that is wrong with a data file and its journals')
    .action(async (file: string, { reportingCurrency, json }: DataFlags) => {
      const verdict = await checkData(file, reportingCurrency);
      print(json ? JSON.stringify(verdict) : describeCheck(file, verdict));
      if (verdict.flaws.length > 0) process.exitCode = EXIT.data;
    });
  withFlags(group.command('repair <file>'))
    .description('Write the intact data to a new file, and list what was left out')
    .requiredOption('--out <new>', 'the new data file')
    .action(async (file: string, { out, reportingCurrency, json }: DataFlags) => {
      const verdict = await repairData(file, out, reportingCurrency);
      print(json ? JSON.stringify(verdict) : describeRepair(out, verdict));
    });
}

interface DataFlags {
  readonly out: string;
  readonly reportingCurrency: string;
  readonly json?: true;
}

const MOST_LINES = 1_000;

function linesOf(flaws: readonly Flaw[]): string[] {
  const shown = flaws
    .slice(0, MOST_LINES)
    .map(({ file, place, message }) =>
      [file, place].filter(Boolean).join(', ').concat(`: ${message}`),
    );
  return flaws.length > MOST_LINES ? [...shown, `and ${flaws.length - MOST_LINES} more.`] : shown;
}

const amountOf = ({ worlds, records }: DataVerdict): string =>
  `${plural(worlds, 'world')}, ${records} records`;

function describeCheck(file: string, verdict: DataVerdict): string {
  const { flaws, unfinished } = verdict;
  const sum =
    flaws.length === 0
      ? `${file} is intact: ${amountOf(verdict)}.`
      : `${plural(flaws.length, 'problem')} in ${amountOf(verdict)}.`;
  return [...linesOf([...flaws, ...unfinished]), sum].join('\n');
}

function describeRepair(out: string, verdict: DataVerdict): string {
  const flaws = [...verdict.flaws, ...verdict.unfinished];
  const left = flaws.length === 0 ? 'Nothing was left out.' : `Left out: ${flaws.length}.`;
  return [...linesOf(flaws), `${out} holds ${amountOf(verdict)}. ${left}`].join('\n');
}
