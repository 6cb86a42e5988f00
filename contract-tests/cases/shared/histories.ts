import { type AnyBody, asConnectedAccount, type WorldCall } from '../../kit/index.ts';
import {
  ANYTHING,
  AUTOMATIC,
  CREDIT,
  LATE,
  OF_TWO,
  PERIODS,
  PLANS,
  PRICES,
  RATES,
  type Theme,
  TIES,
  TOP_UPS,
} from '../../model/arbitrary/themes.ts';
import { disturbed } from '../../model/disturb.ts';

/** Who plays a history: customers of the platform or of a connected account, maybe among other requests. */
interface Players {
  readonly words: string;
  readonly callIn: (world: WorldCall) => WorldCall | Promise<WorldCall>;
}

const AMONG_OTHERS: Players = {
  words: 'among repeated requests',
  callIn: disturbed,
};
const OF_ACCOUNT: Players = {
  words: 'of a connected account',
  callIn: besidePlatform,
};
const OF_ACCOUNT_AMONG_OTHERS: Players = {
  words: `${OF_ACCOUNT.words}, ${AMONG_OTHERS.words}`,
  callIn: async (world) => disturbed(await besidePlatform(world)),
};

/** A connected account of a platform whose assets have the same codes and other rates. */
async function besidePlatform(world: WorldCall): Promise<WorldCall> {
  const own = await asConnectedAccount(world);
  return async (operation, parts, statuses) => {
    // Who pays does so for no account.
    if (operation === 'settlePayment') return world(operation, parts, statuses);
    if (operation === 'createAsset' || operation === 'setAssetRate')
      await world(operation, { ...parts, body: withOtherRates(parts.body) }, statuses);
    return own(operation, parts, statuses);
  };
}

function withOtherRates({ rate, rates, ...body }: AnyBody): object {
  return {
    ...body,
    ...(rate !== undefined && { rate: 8 * rate }),
    ...(rates && { rates: rates.map(({ source }: AnyBody) => ({ source, rate: 8 })) }),
  };
}

/** The check of a history of a theme that a seed makes, of so many steps after its opening. */
export interface HistoryCheck {
  readonly id: string;
  readonly theme: Theme;
  readonly players: Players;
  readonly steps: number;
  readonly seed: number;
}

const histories = (
  theme: Theme,
  rows: readonly (readonly [id: string, players: Players, steps: number, seed: number])[],
): HistoryCheck[] =>
  rows.map(([id, players, steps, seed]) => ({ id, theme, players, steps, seed }));

/**
 * Histories of at most 60 requests. Of 276 for each theme, those are here that together meet the most, as
 * `npm run choose-histories` finds. `prove -- oracle` plays more and longer ones.
 */
export const HISTORIES: readonly HistoryCheck[] = [
  ...histories(ANYTHING, [
    ['X-53', AMONG_OTHERS, 15, 6],
    ['X-134', OF_ACCOUNT, 19, 9],
    ['X-135', OF_ACCOUNT_AMONG_OTHERS, 14, 12],
  ]),
  ...histories(OF_TWO, [
    ['X-123', OF_ACCOUNT, 10, 9],
    ['X-136', AMONG_OTHERS, 7, 1],
  ]),
  ...histories(RATES, [
    ['X-60', AMONG_OTHERS, 21, 2],
    ['X-124', OF_ACCOUNT_AMONG_OTHERS, 14, 6],
    ['X-137', OF_ACCOUNT, 13, 12],
  ]),
  ...histories(PRICES, [
    ['X-117', AMONG_OTHERS, 13, 7],
    ['X-125', OF_ACCOUNT, 14, 2],
    ['X-138', OF_ACCOUNT_AMONG_OTHERS, 11, 12],
    ['X-139', OF_ACCOUNT, 13, 3],
  ]),
  ...histories(PLANS, [
    ['X-118', AMONG_OTHERS, 14, 12],
    ['X-126', OF_ACCOUNT, 21, 2],
    ['X-140', OF_ACCOUNT, 23, 8],
    ['X-141', OF_ACCOUNT_AMONG_OTHERS, 15, 6],
  ]),
  ...histories(LATE, [
    ['X-130', AMONG_OTHERS, 24, 12],
    ['X-132', OF_ACCOUNT, 24, 9],
    ['X-142', OF_ACCOUNT, 24, 10],
    ['X-143', OF_ACCOUNT_AMONG_OTHERS, 19, 4],
  ]),
  ...histories(PERIODS, [
    ['X-131', AMONG_OTHERS, 20, 12],
    ['X-133', OF_ACCOUNT, 20, 7],
    ['X-144', OF_ACCOUNT, 20, 4],
    ['X-145', OF_ACCOUNT_AMONG_OTHERS, 20, 5],
  ]),
  ...histories(CREDIT, [
    ['X-119', AMONG_OTHERS, 13, 6],
    ['X-127', OF_ACCOUNT_AMONG_OTHERS, 10, 12],
    ['X-146', OF_ACCOUNT, 14, 11],
    ['X-147', OF_ACCOUNT, 15, 9],
  ]),
  ...histories(TOP_UPS, [
    ['X-107', AMONG_OTHERS, 24, 11],
    ['X-128', OF_ACCOUNT, 24, 4],
    ['X-148', OF_ACCOUNT_AMONG_OTHERS, 21, 10],
  ]),
  ...histories(AUTOMATIC, [
    ['X-120', AMONG_OTHERS, 23, 9],
    ['X-129', OF_ACCOUNT, 22, 5],
    ['X-149', OF_ACCOUNT_AMONG_OTHERS, 18, 11],
  ]),
  ...histories(TIES, [
    ['X-150', AMONG_OTHERS, 21, 9],
    ['X-151', OF_ACCOUNT, 24, 2],
    ['X-152', OF_ACCOUNT_AMONG_OTHERS, 22, 4],
  ]),
];
