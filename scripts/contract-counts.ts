import { readFileSync, writeFileSync } from 'node:fs';
import { gatherCases } from '../contract-tests/kit/gather.ts';
import { registry } from '../contract-tests/kit/registry.ts';
import '../contract-tests/kit/run/complete.ts';

/** Writes the number of checks and requirements into the suite's README. */
export async function writeContractCounts(): Promise<void> {
  await gatherCases();
  const { checks, requirements } = registry();
  const file = new URL('../contract-tests/README.md', import.meta.url);
  const counted = readFileSync(file, 'utf8').replace(
    /\d+ checks of\n\d+ requirements/,
    `${checks.size} checks of\n${requirements.size} requirements`,
  );
  writeFileSync(file, counted);
}
