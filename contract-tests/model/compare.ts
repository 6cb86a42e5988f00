import { type Account, available, isOpen, NEVER } from './account.ts';
import type { Outcome } from './act.ts';
import { type Ids, instant } from './calls.ts';
import { type Fraction, toNumber } from './fraction.ts';
import type { ExpectedFee } from './usage.ts';
import { type ModelWorld, pendingIn } from './world.ts';

const isFraction = (value: unknown): value is Fraction =>
  typeof value === 'object' && value !== null && 'bottom' in value;

/** Whether an answer has all that is wanted, fractions as the nearest number; it may have more fields. */
export function matches(found: unknown, wanted: unknown): boolean {
  if (isFraction(wanted)) return found === toNumber(wanted);
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((each, index) => matches(found[index], each))
    );
  if (typeof wanted !== 'object' || wanted === null) return found === wanted;
  if (typeof found !== 'object' || found === null) return false;
  return Object.entries(wanted).every(([key, each]) => matches(found[key as never], each));
}

/** An answer, found or wanted, as text. */
export const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (isFraction(each) ? toNumber(each) : each));

/** What the answer to a step must hold. */
export function expectedAnswer({ events, simulated }: Outcome, ids: Ids): object {
  return {
    ...(events && {
      events: events.map(({ fees, revenue }) => ({
        fees: fees.map((fee) => storedFee(fee, ids)),
        revenue,
      })),
    }),
    ...(simulated && { simulated: simulated.map((fees) => fees.map(simulatedFee)) }),
  };
}

const storedFee = ({ product, version, ...fee }: ExpectedFee, { products }: Ids) => ({
  product_id: products[product],
  product_version: version,
  ...fee,
});

/** A simulation leaves out what does not apply, where a stored fee has null. */
const simulatedFee = ({ product: _, version: __, ...fee }: ExpectedFee) =>
  Object.fromEntries(Object.entries(fee).map(([key, value]) => [key, value ?? undefined]));

/** What the model expects of every customer, by the names under which the emulator's answers stand. */
export function expectedState(world: ModelWorld): object {
  const state: Record<string, unknown> = {};
  for (const { index, accounts, revenue } of world.customers) {
    for (const [asset, account] of accounts) state[`c${index} ${asset}`] = accountState(account);
    state[`c${index} revenue`] = revenue;
  }
  for (const { index, status, startedAt, nextRenewal, version } of world.subscriptions) {
    const renewal = status === 'active' && { renews_at: time(nextRenewal) ?? undefined };
    const started_at = time(startedAt) ?? undefined;
    state[`s${index}`] = { status, version, started_at, ...renewal };
  }
  return state;
}

function accountState(account: Account): object {
  const grants = account.credits
    .filter(isOpen)
    .map(({ purpose, left, effectiveAt, expiresAt }) =>
      JSON.stringify([purpose, toNumber(left), time(effectiveAt), time(expiresAt)]),
    );
  return { available: available(account), pending_in: pendingIn(account), grants: grants.sort() };
}

const time = (at: number): string | null => (at === NEVER ? null : instant(at));
