import { gatherCases } from '../kit/check.ts';
import { registry } from '../kit/registry.ts';
import type { Flags } from '../kit/run/read-options.ts';
import { EXIT_CODES } from '../kit/run/verdict.ts';

const LISTS = ['checks', 'requirements', 'assumptions'] as const;

/** Prints the checks, requirements or assumptions, each in a line that names what it refers to. */
export async function list(what: string, flags: Flags): Promise<void> {
  await gatherCases();
  const name = LISTS.find((known) => known === what);
  if (!name) {
    process.stderr.write(`Expected one of ${LISTS.join(', ')}, not ${what}.\n`);
    process.exitCode = EXIT_CODES.usage;
    return;
  }
  const rows = [...registry()[name].values()];
  if (flags['json'] === true) {
    print(JSON.stringify(rows, null, 2));
    return;
  }
  for (const row of rows) {
    if ('effect' in row) {
      const cited = [...row.requirements, ...row.assumes].join(' ');
      print(
        `${row.id.padEnd(8)}${row.level.padEnd(9)}${row.effect.padEnd(4)}${row.title} (${cited})`,
      );
    } else if ('decision' in row) print(`${row.id.padEnd(8)}${row.weight.padEnd(10)}${row.title}`);
    else print(`${row.id.padEnd(11)}${row.level.padEnd(9)}${row.text}`);
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
