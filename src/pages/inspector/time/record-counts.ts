import { countRecords } from '../../../control/worlds/present-world.ts';
import type { WorldImage } from '../../../store/world.ts';
import { plural } from '../../../text/plural.ts';

type Counts = Readonly<Record<string, number>>;

/** The most important tables in words. All other tables are not mentioned. */
const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  customers: ['customer', 'customers'],
  products: ['product', 'products'],
  subscriptions: ['subscription', 'subscriptions'],
  events: ['usage event', 'usage events'],
  transactions: ['ledger entry', 'ledger entries'],
  top_ups: ['top-up', 'top-ups'],
  webhook_events: ['webhook event', 'webhook events'],
};

/** Says how many records came and went, such as `−1 customer, +3 usage events`. */
function changesBetween(before: Counts, after: Counts): string {
  const texts = Object.entries(WORDS).flatMap(([table, words]) => {
    const change = (after[table] ?? 0) - (before[table] ?? 0);
    const sign = change < 0 ? '−' : '+';
    return change === 0 ? [] : [`${sign}${plural(Math.abs(change), ...words)}`];
  });
  return texts.join(', ') || 'As many records as before';
}

export const changesSince = (image: WorldImage, now: Counts): string =>
  changesBetween(countRecords(image), now);

/** What a return to a state would change. */
export const changesTo = (image: WorldImage, now: Counts): string =>
  changesBetween(now, countRecords(image));
