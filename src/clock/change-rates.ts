import { ratesOf } from '../resources/assets/assets.ts';
import { retryWithRate } from '../resources/auto-top-up-watch.ts';
import { job } from './job.ts';

/**
 * A scheduled exchange rate begins or ends. Rates are looked up by time, so nothing else changes, except that
 * automatic top-ups become possible.
 *
 * @assumes A-403, A-1106
 */
export const changeRates = job({
  kind: 'rate_change',
  table: ({ assets }) => assets,
  subject: ({ owner, code }) => ({ owner, asset: code }),
  atMost: ({ tables }) =>
    [...tables.assets.due('rate_change').rows].reduce(
      (sum, { schedules }) => sum + 2 * Object.values(schedules).flat().length,
      0,
    ),
  run(context, { rates_change_at: _come, ...asset }) {
    const { tables, now } = context;
    retryWithRate(context, tables.assets.put({ ...asset, ...ratesOf(asset.schedules, now) }));
    return {};
  },
});
