import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { inject, it } from 'vitest';
import { gatherCases } from '../../../contract-tests/kit/gather.ts';
import { isRed } from '../../../contract-tests/kit/outcome.ts';
import { startMutant } from '../../../contract-tests/mutants/emulator.ts';
import { INDEPENDENT } from '../../../contract-tests/mutants/independent/index.ts';
import { mutant } from '../../../contract-tests/mutants/mutant.ts';

import { learn } from '../../../contract-tests/selftest/hunt.ts';
import { pointAt } from '../../../contract-tests/selftest/point-at.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** File with the outcome for each bug. */
    independent: string;
  }
}

/** Factor for the timeouts of waits: what has not come within seconds will not come. */
const IMPATIENT = { waitFactor: 0.3 };
const DAY_MS = 86_400_000;
/** The fields of a bug that changes only operations, besides `around`. */
const TOLD = ['id', 'about', 'noticedBy'];
const file = inject('independent');

/**
 * Runs the checks, fastest first, until one fails: those that use an operation of the bug, or all if the bug is not
 * limited to operations.
 */
it('tries every bug on the checks', { timeout: DAY_MS }, async () => {
  const sound = await startMutant(mutant('none', 'Nothing is wrong', []));
  await pointAt(sound.baseUrl, IMPATIENT);
  const observed = (await learn(await gatherCases())).toSorted(
    (left, right) => left.milliseconds - right.milliseconds,
  );
  await sound.close();
  const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
  for (const bug of INDEPENDENT) {
    if (known.includes(JSON.stringify(bug.id))) continue;
    const { around = {}, ...others } = bug;
    const isOfOperations = Object.keys(others).every((part) => TOLD.includes(part));
    const candidates = observed.filter(({ sees }) =>
      [...sees].some((cell) => !isOfOperations || (cell.split(' ')[0] as string) in around),
    );
    const target = await startMutant(bug);
    await pointAt(target.baseUrl, IMPATIENT);
    let by: string | undefined;
    for (const { check, name } of candidates) {
      if (!isRed(await check.run())) continue;
      by = name;
      break;
    }
    await target.close();
    appendFileSync(file, `${JSON.stringify({ id: bug.id, by, tries: candidates.length })}\n`);
  }
});
