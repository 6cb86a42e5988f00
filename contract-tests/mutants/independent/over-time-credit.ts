import { spansAfter } from 'billing-emulator/internals';
import { type Loose, type Mutant, mutant } from '../mutant.ts';
import { bugs } from './bug.ts';
import { keeping, overlay, reading, seeing } from './deep.ts';
import {
  dueBug,
  dueBugs,
  during,
  grantDue,
  lifecycleOf,
  subscriptionDue,
  topUpDue,
} from './due-bug.ts';

/** Changes the lifecycle of a version's entitlements. */
const lasting = (change: (lifecycle: Loose) => Loose) =>
  seeing('versions', (version) => ({
    ...version,
    entitlements: version.entitlements.map((each: Loose) =>
      each.lifecycle
        ? { ...each, lifecycle: { ...each.lifecycle, ...change(each.lifecycle) } }
        : each,
    ),
  }));

/** Changes the end of credit granted by a refresh. */
const endingBy = (end: (at: Loose, lifecycle: Loose) => Loose) =>
  keeping('grants', (row, { at }, context) => {
    const lifecycle = lifecycleOf(row, context);
    if (!lifecycle?.refresh || row.created_at !== at) return row;
    return { ...row, expires_at: end(at, lifecycle) ?? row.expires_at };
  });

/** A version with the entitlements of the subscription's first version, where both have them. */
const asAtFirst = seeing('versions', (version, due, context) => {
  const isOf = ({ id }: Loose) => id === version.product_id;
  const { products } = subscriptionDue(due, context).history[0];
  const held = products.find(isOf);
  const first: Loose = held && context.tables.versions.get(`${held.id}\n${held.version}`);
  const entitlements = version.entitlements.map((each: Loose) => {
    const fits = ({ name, asset }: Loose) => name === each.name && asset === each.asset;
    return first?.entitlements.find(fits) ?? each;
  });
  return { ...version, entitlements };
});

/** Hides pending top-ups. */
const unaware = reading('top_ups', 'pending', () => []);

const keepNothing = { put: (row: Loose) => row };

/** Bugs in credit and revenue as time passes. */
export const overTimeCreditBugs: readonly Mutant[] = [
  ...dueBugs({
    refresh: {
      'refreshes every single interval': endingBy((at, { duration, duration_count: count }) =>
        count > 1 ? spansAfter(at, duration, 1) : undefined,
      ),
      'counts the next end from the last refresh, so that a day lost in February stays lost':
        endingBy((at, { duration, duration_count }) => spansAfter(at, duration, duration_count)),
      'moves no end of what rolls over': keeping('grants', (row, _, { tables }) => ({
        ...row,
        expires_at: tables.grants.get(row.id)?.expires_at ?? row.expires_at,
      })),
      'refreshes by the version of the start': asAtFirst,
      'gives with a refresh what is to be given once': lasting(({ refresh }) => ({
        refresh: refresh ?? { strategy: 'expire_and_replace' },
      })),
    },
    grant_expiry: {
      'lets all that is refreshed add up': (due, context, run) => {
        const grant = grantDue(due, context);
        if (!lifecycleOf(grant, context)?.refresh) return run();
        context.tables.grants.put({ ...grant, expires_at: null });
        return {};
      },
      'wakes no automatic top-up': seeing('auto_top_ups', () => undefined),
      'counts what expires on the day on which it was bought': (due, context, run) => {
        const { purpose, created_at } = grantDue(due, context);
        return purpose === 'paid' ? run(due, { ...context, now: created_at }) : run();
      },
      'counts nothing of a fee whose credit was not used': (due, context, run) => {
        if (grantDue(due, context).worth?.kind !== 'fee_share') return run();
        return run(
          due,
          overlay(context, 'totals', () => keepNothing),
        );
      },
    },
    top_up_settlement: {
      'counts the year of bought credit from the order': keeping('grants', (row, due, context) => {
        const { created_at, credit_expires_at } = topUpDue(due, context);
        const expires_at = credit_expires_at ?? spansAfter(created_at, 'year', 1);
        return { ...row, expires_at };
      }),
    },
    grant_start: {
      'repays no debt by credit that was put off': keeping('grants', (row) => ({
        ...row,
        remaining: row.amount,
        repaid: '0',
      })),
    },
    renewal: {
      'counts the fee of the next period whole': seeing('versions', (version) => ({
        ...version,
        entitlements: version.entitlements.map((each: Loose) => ({
          ...each,
          accounting: { ...each.accounting, revenue_basis: '0' },
        })),
      })),
      'lays the whole fee on the first credit of a period': keeping('fee_payments', (row) => ({
        ...row,
        deferred: row.deferred.map((share: Loose) => ({ ...share, grants: 1 })),
      })),
    },
  }),
  ...bugs({
    submitEvents: {
      'draws no credit that was given after the use': (call, context, run) => {
        const { events } = call.body;
        const last = Math.max(...events.map((each: Loose) => Date.parse(each.occurred_at)));
        const isGiven = ({ effective_at }: Loose) => Date.parse(effective_at) <= last;
        return reading('grants', 'open', (grants) => grants.filter(isGiven))(call, context, run);
      },
    },
  }),
  dueBug('comes before the renewal of the same instant', 'refresh', () => ({ rank: 4.5 })),
  dueBug('comes before the refresh of the same instant', 'auto_top_up', () => ({ rank: 1.5 })),
  {
    ...mutant('auto_top_up: while money is coming', 'Tops up again while money is on its way', [], {
      submitEvents: unaware,
      chargeWallet: unaware,
      adjustWallet: unaware,
    }),
    due: { grant_expiry: during(unaware) },
  },
];
