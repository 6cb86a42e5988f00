import type { Context, Due, DueKind } from 'billing-emulator/internals';
import { type Advice, type Loose, type Mutant, mutant } from '../mutant.ts';
import type { Mistakes } from './bug.ts';
import { keeping } from './deep.ts';

/** Mistakes in what falls due by the clock: told like those of operations, with what falls due as the call. */

export const LENGTH_OF_DAY = 86_400_000;

type DueChange = (due: Due) => Partial<Due>;

/** Bugs in what is done when something falls due, by its kind. */
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

/** Advice around the work of something that falls due. */
export const during =
  (advice: Advice): DueChange =>
  (due) => ({
    run: (context) => advice(due, context, (_, within = context) => due.run(within)),
  });

/** What is wrong once the work of a subscription is done. */
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

/** How long the credit of a grant lasts, where an entitlement gave it. */
export function lifecycleOf({ entitlement: of }: Loose, { tables }: Context): Loose {
  const version: Loose = of && tables.versions.get(`${of.product_id}\n${of.version}`);
  return version?.entitlements[of.index]?.lifecycle;
}

/** Changes the running subscriptions that a piece of work keeps. */
export const keepingActive = (
  change: (row: Loose, call: Loose, context: Context) => Loose,
): Advice =>
  keeping('subscriptions', (row, call, context) =>
    row.status === 'active' ? { ...row, ...change(row, call, context) } : row,
  );

/** An instant in the form of the world's. */
export const instantOf = (time: Date | number): string => new Date(time).toISOString();

export const midnightBefore = (at: string): string => `${at.slice(0, 10)}T00:00:00.000Z`;
