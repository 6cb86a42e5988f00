import fc from 'fast-check';
import { anOwnWorld, type CheckContext, check, describe } from '../kit/index.ts';
import type { Weights } from '../model/arbitrary-action.ts';
import { busyHistoryArbitrary } from '../model/arbitrary-history.ts';
import { ASPECTS } from '../model/aspects/all.ts';
import type { Aspect } from '../model/aspects/aspect.ts';
import { catalog } from '../model/aspects/catalog.ts';
import { credit } from '../model/aspects/credit.ts';
import { destinations } from '../model/aspects/destinations.ts';
import { harmless } from '../model/aspects/harmless.ts';
import { lists } from '../model/aspects/lists.ts';
import { profits } from '../model/aspects/profits.ts';
import { state } from '../model/aspects/state.ts';
import { usage } from '../model/aspects/usage.ts';
import { webhookLog } from '../model/aspects/webhook-log.ts';
import { type Extent, playHistory } from '../model/play.ts';

const SEED = 20260131;

/** Weights of steps that affect usage and its price. */
const USAGE: Weights = {
  ...{ events: 10, rate: 4, subscribe: 2, pay: 2, change: 1, end: 1, resume: 1, update: 1 },
};

/** Weights of steps that change what later steps depend on. */
const CHANGES: Weights = {
  ...{ events: 6, adjust: 3, charge: 2, top_up: 2, subscribe: 2, pay: 2, change: 1 },
  ...{ update: 2, rate: 5, archive: 2, default: 2, edit: 2 },
};

/** Weights of steps that change product versions and who is subscribed to them. */
const VERSIONS: Weights = {
  ...{ edit: 5, default: 2, archive: 2, subscribe: 4, change: 3, pay: 3, events: 4, simulate: 2 },
};

/** Weights of steps that add credit. */
const CREDIT: Weights = { top_up: 8, adjust: 3, events: 3, charge: 1, subscribe: 1, wait: 3 };

/** Weights of steps that affect the webhook log. */
const WEBHOOKS: Weights = {
  ...{ hook: 1.5, toggle: 4, remove: 1, test: 4, subscribe: 2, pay: 2, end: 1, resume: 1 },
};

describe('random histories', () => {
  // random histories of usage, credit, plans, payments and rates over months → every fee, balance, grant,
  // transaction, status and revenue equals that of a model written from the documents alone
  check('X-53', (t) => play(t, [state, credit], { histories: 10, every: 18 }));

  // lists after random histories, by each parameter, each pair of them and pages of any size → the matching items
  // of the whole list, in its order, with their count
  check('X-60', async (t) => {
    await play(t, [lists], { histories: 3, seed: 1 });
    await play(t, [lists, credit], { histories: 1, seed: 9, weights: CREDIT });
  });

  // usage of random histories, with subjects and costs in several currencies → every event in the list, and every
  // task with its statistics, events and vendors, equals that of the model
  check('X-61', (t) => play(t, [usage], { histories: 4, seed: 2, weights: USAGE }));

  // revenue, costs and margins after random histories, of all time, by period and by category → those of every
  // customer, vendor and summary equal those of the model, in the same order
  check('X-62', (t) => play(t, [profits], { histories: 4, seed: 3 }));

  // within random histories, repeated requests with the same and with other content, and requests that must be
  // rejected → the documented response, and nothing else changes
  check('X-63', async (t) => {
    const aspects = [harmless, state, catalog, credit, usage];
    await play(t, aspects, { histories: 3, every: 12, seed: 4, weights: CHANGES });
    await play(t, aspects, { histories: 2, every: 12, seed: 10, weights: VERSIONS });
  });

  // the webhook log and the destinations after random histories in which they respond, do not respond, are
  // disabled, enabled and removed, also of a live account next to a connected one → each activation and test with its
  // deliveries, by each filter and page, as in the model
  check('X-64', async (t) => {
    const aspects = [destinations, webhookLog];
    await play(t, aspects, { histories: 4, seed: 6, weights: WEBHOOKS });
    const beside = { histories: 2, weights: WEBHOOKS, isTwofold: true };
    await play(t, aspects, { ...beside, seed: 11, environment: 'live' });
  });

  // the same random history on the platform and in a connected account, with the same codes and ids, and an asset
  // of other precision → all of each equals that of a model of it alone
  check('X-65', (t) =>
    play(t, ASPECTS, { histories: 1, seed: 8, isTwofold: true, weights: CHANGES }),
  );
});

interface Sample extends Extent {
  readonly histories: number;
  readonly seed?: number;
  readonly weights?: Weights;
  readonly environment?: 'live';
}

async function play(t: CheckContext, aspects: readonly Aspect[], sample: Sample): Promise<void> {
  const { histories: numRuns, seed = 0, weights, environment, ...extent } = sample;
  const arbitrary = busyHistoryArbitrary(weights);
  for (const history of fc.sample(arbitrary, { seed: SEED + seed, numRuns }))
    await playHistory(anOwnWorld(t, environment), history, aspects, extent);
}
