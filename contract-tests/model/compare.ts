import { changedValues, pathText } from 'billing-emulator/spec';
import { ContractFailure } from '../kit/outcome.ts';
import { Rational } from '../kit/rational.ts';
import type { AnyBody, WorldCall } from '../kit/target/own-world.ts';
import type { Ids } from './calls.ts';
import type { ModelWorld } from './world.ts';

/** The state of a history, in the service and in the model. */
export interface Stage {
  readonly call: WorldCall;
  readonly ids: Ids;
  readonly world: ModelWorld;
}

/** A part of a response, with the expected value. */
export type Compared = readonly [name: string, found: AnyBody, wanted: unknown];

/**
 * Compares parts of responses with the expected values, exact numbers as the nearest double. Other fields are allowed.
 *
 * @param slack the relative tolerance of revenue
 * @throws ContractFailure with each value that differs
 */
export function compare(where: string, all: readonly Compared[], slack: number): void {
  const lines = all.flatMap(([name, found, wanted]) =>
    [...changedValues(plain(wanted), found, { isPartial: true, wholeLists: true })]
      .filter(({ at, before, after }) => at.at(-1) !== REVENUE || !isNear(before, after, slack))
      .map(
        ({ at, before, after }) =>
          `${name} ${pathText(at)}\n  service  ${JSON.stringify(after)}\n  model    ${JSON.stringify(before)}`,
      ),
  );
  if (lines.length > 0) throw new ContractFailure(`${where}:\n${lines.join('\n')}`);
}

/** The field that shares of fees go into. */
const REVENUE = 'gross_revenue';

const isNear = (wanted: unknown, found: unknown, slack: number): boolean =>
  typeof wanted === 'number' &&
  typeof found === 'number' &&
  Math.abs(found - wanted) <= slack * Math.max(1, Math.abs(wanted));

function plain(value: unknown): unknown {
  if (value instanceof Rational) return value.toNumber();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}
