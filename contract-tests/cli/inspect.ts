import { gatherCases } from '../kit/check.ts';
import { operationsOf } from '../kit/plan.ts';
import { citations, registry } from '../kit/registry.ts';
import type { Flags } from '../kit/run/read-options.ts';
import { EXIT_CODES } from '../kit/run/verdict.ts';

const LISTS = ['checks', 'requirements', 'assumptions'] as const;

/** Prints the checks, requirements or assumptions, or one of them by its id. */
export async function list(what: string, flags: Flags): Promise<void> {
  await gatherCases();
  const name = LISTS.find((known) => known === what);
  if (!name) {
    explain(what);
    return;
  }
  const rows = [...registry()[name].values()];
  if (flags['json'] === true) {
    print(JSON.stringify(rows, null, 2));
    return;
  }
  for (const row of rows) {
    if ('effect' in row)
      print(`${row.id.padEnd(8)}${row.level.padEnd(9)}${row.effect.padEnd(4)}${row.title}`);
    else if ('decision' in row) print(`${row.id.padEnd(8)}${row.weight.padEnd(10)}${row.title}`);
    else print(`${row.id.padEnd(11)}${row.level.padEnd(9)}${row.text}`);
  }
}

/** Prints what an id stands for, with its related entries. */
function explain(id: string): void {
  const { checks, requirements, assumptions } = registry();
  const check = checks.get(id);
  if (check) {
    print(`${id}  ${check.level}, ${check.effect}, ${check.resource}\n${check.title}`);
    print(`\nOperations: ${operationsOf(check).join(', ') || 'all'}`);
    for (const name of check.requirements) print(`  ${name}  ${requirements.get(name)?.text}`);
    for (const name of check.assumes) print(`  ${name}  ${assumptions.get(name)?.title}`);
    return;
  }
  const requirement = requirements.get(id);
  if (requirement) {
    print(`${id}  ${requirement.level}, ${requirement.section}\n${requirement.text}`);
    if (requirement.not_tested !== undefined) print(`\nNot tested: ${requirement.not_tested}`);
    for (const name of citations().get(id) ?? []) print(`  ${name}  ${checks.get(name)?.title}`);
    return;
  }
  const assumption = assumptions.get(id);
  if (!assumption) {
    unknown(`Nothing has the id ${id}; expected one, or ${LISTS.join(', ')}.`);
    return;
  }
  print(`${id}  ${assumption.title}\n\n${assumption.decision}\n\nFills: ${assumption.gap}`);
  for (const entry of checks.values())
    if (entry.assumes.includes(id)) print(`  ${entry.id}  ${entry.title}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function unknown(text: string): void {
  process.stderr.write(`${text}\n`);
  process.exitCode = EXIT_CODES.usage;
}
