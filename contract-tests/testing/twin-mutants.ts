import type { OperationId } from 'billing-emulator/spec';
import type { TwinSummary } from '../forwarder/emulator/report/report.ts';
import type { GatheredCheck } from '../kit/gather.ts';
import { operationOf, resourceOf } from '../kit/operations.ts';
import { registry } from '../kit/registry.ts';
import { startMutant } from '../mutants/emulator.ts';
import { MUTANTS } from '../mutants/index.ts';
import { declared, type Mutant } from '../mutants/mutant.ts';
import { pointAt } from '../selftest/point-at.ts';
import { aTwin } from './twin.ts';

const SOUND = declared('Nothing is wrong', []);
const ID_OF_NOBODY =
  'an identifier that no answer has shown may be of what was there before the twin';

/** The capability that a check needs to pay on a hosted page. */
const PAYING = 'payment.completable';

/** Mutants that a twin cannot detect, with the reason given in the documentation. */
const BEYOND_TWIN: Readonly<Record<string, string>> = {
  'Titles of problems vary': 'wording is not compared',
  'An unknown customer is updated': ID_OF_NOBODY,
  'An unknown subscription is updated': ID_OF_NOBODY,
  'A test to an unknown destination is accepted': ID_OF_NOBODY,
  'The status filter of the log is ignored': 'what receivers answered is not compared',
};

/** Whether a twin cannot detect a mutant. A twin sees neither webhook requests nor payments on hosted pages. */
function isBeyondTwin({ id, posting, posted, noticedBy }: Mutant): boolean {
  const { needs = [] } = registry().checks.get(noticedBy[0] as string) ?? {};
  const isPastIt = posting !== undefined || posted !== undefined || needs.includes(PAYING);
  return isPastIt || id in BEYOND_TWIN;
}

export const mutantsBeyondTwin = (): readonly Mutant[] =>
  MUTANTS.filter(({ id }) => id in BEYOND_TWIN);

/** The operations whose handlers the mutant changes. */
const operationsOf = ({ around = {} }: Mutant): readonly OperationId[] =>
  Object.keys(around) as OperationId[];

/**
 * The same selection of mutants on each call, out of those that change one operation and that a twin can detect: the
 * first of each resource, then the second of each, and so on.
 */
export function mutantsOfAllResources(count: number): readonly Mutant[] {
  const rows = new Map<string, Mutant[]>();
  for (const each of MUTANTS) {
    const [operation, ...others] = operationsOf(each);
    if (!operation || others.length > 0 || isBeyondTwin(each)) continue;
    const resource = resourceOf(operationOf(operation));
    rows.set(resource, [...(rows.get(resource) ?? []), each]);
  }
  const longest = Math.max(...[...rows.values()].map(({ length }) => length));
  const places = Array.from({ length: longest }, (_, place) => place);
  return places
    .flatMap((place) => [...rows.values()].flatMap((row) => row[place] ?? []))
    .slice(0, count);
}

/** Pairs of mutants, each of two different operations. */
export function inPairs(mutants: readonly Mutant[]): readonly (readonly [Mutant, Mutant])[] {
  const [left, pairs] = [[...mutants], [] as [Mutant, Mutant][]];
  for (let first = left.shift(); first; first = left.shift()) {
    const [operation] = operationsOf(first);
    const place = left.findIndex((other) => operationsOf(other)[0] !== operation);
    if (place >= 0) pairs.push([first, ...left.splice(place, 1)] as [Mutant, Mutant]);
  }
  return pairs;
}

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
  const around = Object.assign({}, ...mutants.map((each) => each.around));
  const wrong = isSound ? SOUND : Object.assign({}, ...mutants, { around });
  const service = await startMutant(wrong, { seed: 'a service' });
  const twin = await aTwin(service.baseUrl);
  await pointAt(twin.url, { offers: [] });
  const wanted = new Set(mutants.map(({ noticedBy }) => noticedBy[0] as string));
  for (const check of checks) if (wanted.has(check.id)) await check.run();
  const summary = await twin.end();
  await service.close();
  return summary;
}
