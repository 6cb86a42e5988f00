import type { TwinSummary } from '../forwarder/emulator/report/report.ts';
import type { GatheredCheck } from '../kit/check.ts';
import { planOfOurs } from '../kit/plan.ts';
import { beginSession } from '../kit/target/session.ts';
import { startMutant } from '../mutants/emulator.ts';
import { MUTANTS } from '../mutants/index.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { aTwin } from './twin.ts';

/** Operations that a twin does not compare: what receivers answered, and what was paid on hosted pages. */
const NOT_COMPARED = ['listWebhookEvents', 'getTopUp'];

/** Mutants of the responses of one operation. */
export const MUTANTS_OF_ONE: readonly Mutant[] = MUTANTS.filter(
  ({ of = [], response }) => response && of.length === 1 && !NOT_COMPARED.includes(of[0] as string),
);

/** Pairs of mutants, each of two different operations. */
export const inPairs = (mutants: readonly Mutant[]): readonly (readonly [Mutant, Mutant])[] =>
  mutants.flatMap((mutant, place) => {
    const next = mutants[place + 1];
    return place % 2 === 0 && next && next.of?.[0] !== mutant.of?.[0] ? [[mutant, next]] : [];
  });

/**
 * Runs a twin in front of an emulator with several mutants at once and returns its findings. The traffic is the first
 * check that each mutant lists. The two emulators generate different ids.
 *
 * @param isSound whether to send the same traffic without the mutants
 */
export async function twinOfMutants(
  mutants: readonly Mutant[],
  checks: readonly GatheredCheck[],
  isSound = false,
): Promise<TwinSummary> {
  const wrong = {
    of: mutants.flatMap(({ of = [] }) => of),
    response(...[answer, call]: Parameters<NonNullable<Mutant['response']>>) {
      for (const { of, response } of mutants)
        if (of?.includes(call.operation)) response?.(answer, call);
    },
  };
  const service = await startMutant(isSound ? {} : wrong, { seed: 'a service' });
  const twin = await aTwin(service.baseUrl);
  beginSession(planOfOurs({ baseUrl: twin.url, key: 'key_test_selftest' }, { offers: [] }));
  const wanted = new Set(mutants.map(({ noticedBy }) => noticedBy[0] as string));
  for (const check of checks) if (wanted.has(check.id)) await check.run();
  const summary = await twin.end();
  await service.close();
  return summary;
}
