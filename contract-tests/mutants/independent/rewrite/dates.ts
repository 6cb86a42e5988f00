import { key } from 'billing-emulator/internals';
import { asking, type Loose, type Mutant } from '../../mutant.ts';
import { keeping, relisted } from '../deep.ts';
import { against } from '../production/window.ts';

/** Zones of servers, precision of date columns, and libraries of dates. */
export const dateBugs: readonly Mutant[] = [
  against(
    'A-806: the periods of GET /events filter on occurred_at, in UTC days',
    'takes the days of a period in the zone of the server',
    {
      listEvents(call, context, run) {
        const { period_from: from, period_to: to } = call.query;
        if ((from ?? to) === undefined || (from ?? '') > (to ?? '9')) return run();
        return inServerDays(call, context, run);
      },
    },
  ),
  against(
    'GET /webhooks/events: time_lte; A-302: times have milliseconds',
    'cuts time_lte to whole seconds',
    {
      listWebhookEvents: asking(({ query }) => {
        if (query.time_lte) query.time_lte = toSecond(query.time_lte);
      }),
    },
  ),
  against(
    'POST /assets/{assetCode}/rates: valid_from; A-302: times have milliseconds',
    'keeps the start of a rate in whole seconds',
    {
      setAssetRate: asking(({ body }) => {
        if (body.valid_from) body.valid_from = toSecond(body.valid_from);
      }),
    },
  ),
  against(
    'A-511, A-605: the anchor day is limited by the length of the month',
    'lets credit of a month from the 31st run into the month after the next',
    { createSubscription: overflowing(), createCustomer: overflowing() },
  ),
  against(
    'A-803: at most 34 days before the time of the clock',
    'counts the age of an event in whole days',
    {
      submitEvents(call, context, run) {
        const settings = { ...context.settings, event_max_age: 'P34DT23H59M59.999S' };
        return run(call, { ...context, settings });
      },
    },
  ),
  against(
    'A-403, A-404: an interval [valid_from, valid_to)',
    'still quotes the former rate at the instant at which it ends',
    {
      quoteAsset: asking(({ body, path }, { tables, owner, now }) => {
        const at = new Date(body.exchange_at ?? now).toISOString();
        const row: Loose = tables.assets.get(key(owner, path.assetCode));
        const periods: Loose[] = row?.schedules[body.source] ?? [];
        const ends = periods.some(
          ({ valid_from, valid_to }) => valid_to === at && valid_from < valid_to,
        );
        if (ends) body.exchange_at = new Date(Date.parse(at) - 1).toISOString();
      }),
    },
  ),
];

const BERLIN = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' });

const inServerDays = relisted(['period_from', 'period_to'], (items, query) =>
  items.filter(({ occurred_at }) => {
    const day = BERLIN.format(new Date(occurred_at));
    return day >= (query.period_from ?? '') && day <= (query.period_to ?? '9');
  }),
);

const toSecond = (time: string): string =>
  new Date(Math.floor(Date.parse(time) / 1000) * 1000).toISOString();

/** The calendar of a library that carries surplus days over: one month after 31 January is 3 March. */
function overflowing() {
  return keeping('grants', (row, _, { tables, now }) => {
    const { product_id, version, index } = row.entitlement ?? {};
    const terms: Loose = tables.versions.get(key(product_id ?? '', String(version)));
    const { duration, duration_count } = terms?.entitlements[index].lifecycle ?? {};
    if (duration !== 'month' && duration !== 'year') return row;
    const end = new Date(now);
    end.setUTCMonth(end.getUTCMonth() + duration_count * (duration === 'year' ? 12 : 1));
    const isCarried = end.getUTCDate() !== new Date(now).getUTCDate();
    return isCarried ? { ...row, expires_at: end.toISOString() } : row;
  });
}
