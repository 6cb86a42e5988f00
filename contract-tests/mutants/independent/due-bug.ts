import type { Context, Due, DueKind } from 'billing-emulator/internals';
import { type Advice, type Loose, type Mutant, mutant } from '../mutant.ts';
import type { Mistakes } from './bug.ts';
import { keeping } from './deep.ts';

/** Bugs in due items: described like bugs in operations, with the due item in place of the call. */

export const LENGTH_OF_DAY = 86_400_000;

type DueChange = (due: Due) => Partial<Due>;

/** Bugs in the work of due items, by their kind. */
export const dueBugs = (all: Readonly<Partial<Record<DueKind, Mistakes>>>): Mutant[] =>
  Object.entries(all).flatMap(([kind, mistakes]) =>
    Object.entries(mistakes).map(([about, advice]) =>
      dueBug(about, kind as DueKind, during(advice)),
    ),
  );

export const dueBug = (about: string, kind: DueKind, change: DueChange): Mutant => ({
  ...mutant(`${kind}: ${about}`, about, []),
  due: { [kind]: change },
});

/** Turns advice into a change of a due item's work. */
export const during =
  (advice: Advice): DueChange =>
  (due) => ({ run: (context) => advice(due, context, (_, within = context) => due.run(within)) });

/** Advice that changes something after the work of a subscription's due item. */
export const thenAlso =
  (change: (subscription: Loose, context: Context, result: Loose) => void): Advice =>
  (due, context, run) => {
    const result = run();
    change(subscriptionDue(due, context), context, result);
    return result;
  };

export const subscriptionDue = (due: Due, { tables }: Context): Loose =>
  tables.subscriptions.get(due.subject().subscription_id as string);

export const grantDue = (due: Due, { tables }: Context): Loose =>
  tables.grants.get(due.subject().grant_id as string);

export const topUpDue = (due: Due, { tables }: Context): Loose =>
  tables.top_ups.get(due.subject().top_up_id as string);

/** The lifecycle of the entitlement that a grant comes from; undefined for other grants. */
export function lifecycleOf({ entitlement: of }: Loose, { tables }: Context): Loose {
  const version: Loose = of && tables.versions.get(`${of.product_id}\n${of.version}`);
  return version?.entitlements[of.index]?.lifecycle;
}

/** Changes active subscriptions before they are stored. */
export const keepingActive = (
  change: (row: Loose, call: Loose, context: Context) => Loose,
): Advice =>
  keeping('subscriptions', (row, call, context) =>
    row.status === 'active' ? { ...row, ...change(row, call, context) } : row,
  );

/** An instant as the tables store it. */
export const instantOf = (time: Date | number): string => new Date(time).toISOString();

export const midnightBefore = (at: string): string => `${at.slice(0, 10)}T00:00:00.000Z`;
