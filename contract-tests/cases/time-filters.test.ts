import {
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  api,
  aReceiver,
  aVendor,
  aWebhook,
  check,
  describe,
  expect,
  now,
  restOn,
  spellingsOf,
  today,
  uniqueSubject,
  unknownId,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { submit, taskOf } from './shared/events.ts';
import { type Filter, tryFilters } from './shared/lists.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { moved } from './shared/times.ts';
import { grantsOf } from './shared/wallets.ts';
import { dispatch, type Item, log, logged, walkLog } from './shared/webhooks.ts';

describe('time filters to the millisecond', () => {
  check(
    'WAL-46',
    {
      requirement: ['R-WAL-22', 'R-WAL-23', 'R-WAL-24', 'R-WAL-25'],
      level: 'MUST',
      effect: 'E3',
      assumes: 'A-704',
    },
    'grants that end a millisecond apart, and never, by each bound, purpose and exclude_expired, alone and in pairs → the matching ones, their count, their second page',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id, accountId: 'default:USD' };
      const end = now(86_400_000);
      const ids: Record<string, string> = {};
      const effective: Record<string, string> = {};
      const purposes: unknown[] = [];
      for (const [name, reason, expires_at] of [
        ['before', 'gift', moved(end, -1)],
        ['at', 'external_topup', end],
        ['after', 'gift', moved(end, 1)],
        ['never', 'external_topup', undefined],
      ] as const) {
        await anAdjustment(customer, { reason, ...(expires_at && { expires_at }) });
        const grant = (await grantsOf(customer)).find(({ id }) => !Object.values(ids).includes(id));
        ids[name] = grant?.id as string;
        effective[name] = grant?.effective_at as string;
        purposes.push(grant?.purpose);
      }
      const isAsAssumed = purposes.join() === 'promotion,paid,promotion,paid';
      await restOn('A-704', isAsAssumed, 'adjustments have other purposes');
      const all = Object.keys(ids);
      const since = (bound: string) => all.filter((name) => (effective[name] as string) >= bound);
      const until = (bound: string) => all.filter((name) => (effective[name] as string) <= bound);
      const { at: middle = '' } = effective;
      const filters: Filter[] = [
        { query: { purpose: 'promotion' }, fits: ['before', 'after'] },
        { query: { purpose: 'paid' }, fits: ['at', 'never'] },
        { query: { exclude_expired: true }, fits: all },
        { query: { expired_from: end }, fits: ['at', 'after'] },
        { query: { expired_from: moved(end, 1) }, fits: ['after'] },
        { query: { expired_to: end }, fits: ['before', 'at'] },
        { query: { expired_to: moved(end, -1) }, fits: ['before'] },
        { query: { effective_from: middle }, fits: since(middle) },
        { query: { effective_from: moved(middle, 1) }, fits: since(moved(middle, 1)) },
        { query: { effective_to: middle }, fits: until(middle) },
        { query: { effective_to: moved(middle, -1) }, fits: until(moved(middle, -1)) },
      ];

      await tryFilters({ list: 'listGrants', path }, ids, filters);
    },
  );

  check(
    'WHK-43',
    {
      requirement: ['R-WHK-25', 'R-WHK-26', 'R-WHK-27'],
      level: 'MUST',
      effect: 'E2',
      needs: 'receiver',
    },
    'log by destination, by several among ids of nothing, with either prefix, by status and by times a millisecond apart, in pairs → the matching items, newest first; walked by cursor to the end and back',
    async (t) => {
      const receiver = await aReceiver(t);
      const good = await aWebhook(t, { url: receiver.url });
      const [bad, third] = [await aWebhook(t), await aWebhook(t)];
      const [[, whd], [dst]] = [spellingsOf(good.id), spellingsOf(bad.id)];
      const ids: string[] = [];
      for (const webhook of [good, bad, good, bad, third]) ids.push(await dispatch(webhook));
      const settled = ({ successful_at, failed_at }: Item) => (successful_at ?? failed_at) !== null;
      const sent: Item[] = [];
      for (const id of ids) sent.push(await logged(id, settled));
      const [first, , middle, , last] = sent as [Item, Item, Item, Item, Item];
      const own = new Set(sent.map(({ id }) => id));
      const pick = (...places: number[]) => places.map((place) => sent[place] as Item).reverse();
      const filters: [Record<string, unknown>, readonly Item[]][] = [
        [{ destination_id: [good.id] }, pick(0, 2)],
        [{ destination_id: [bad.id, good.id] }, pick(0, 1, 2, 3)],
        [{ destination_id: [whd, unknownId('whd')] }, pick(0, 2)],
        [{ destination_id: [unknownId('dst'), whd, unknownId('evt'), dst] }, pick(0, 1, 2, 3)],
        [{ destination_id: [unknownId('whd'), unknownId('dst')] }, []],
        [{ status: 'Success' }, pick(0, 2)],
        [{ status: 'Failed' }, pick(1, 3, 4)],
        [{ time_gte: middle.time }, sent.filter(({ time }) => time >= middle.time).reverse()],
        [{ time_gte: moved(last.time, 1) }, []],
        [{ time_lte: middle.time }, sent.filter(({ time }) => time <= middle.time).reverse()],
        [{ time_lte: moved(first.time, -1) }, []],
      ];
      for (const [index, [one, fitting]] of filters.entries())
        for (const [other, fits] of filters.slice(index)) {
          const isPair = one !== other;
          if (isPair && Object.keys(other).some((name) => name in one)) continue;
          const query = { ...one, ...other };
          const wanted = fitting.filter((item) => fits.includes(item)).map(({ id }) => id);
          const found = (await log(query)).map(({ id }) => id).filter((id) => own.has(id));
          expect(found, JSON.stringify(query)).toEqual(wanted);
          if ('destination_id' in query) await walkLog([query], wanted);
        }
    },
  );
});

describe('default period of customer stats', () => {
  /** A fee of 0.25 and a cost of 0.5 in the last millisecond of a month, and in the first of the next. */
  async function aTurnOfMonth() {
    const first = `${today().slice(0, 7)}-01T00:00:00.000Z`;
    const product = await aFreshProduct();
    const customer = await aFreshCustomer();
    await subscribe(customer, { ...to(product), starts_at: moved(first, -86_400_000) });
    const { id: vendorId } = await aVendor();
    const events = [moved(first, -1), first].map((occurred_at) =>
      usageEvent(product.eventType, {
        occurred_at,
        costs: [{ id: uuid(), vendor_id: vendorId, amount: 0.5 }],
      }),
    );
    await submit(customer, ...events);
    return { customer, last: moved(first, -1).slice(0, 10), first: first.slice(0, 10) };
  }

  check(
    'CUS-30',
    { requirement: ['R-PRF-11', 'R-PRF-16'], level: 'ASSUMED', effect: 'E3', assumes: 'A-903' },
    'usage in the last millisecond of a month and in the first of the next → each in its own day, only the latter in the default period',
    async () => {
      const { customer, first, last } = await aTurnOfMonth();
      const costs = async (query: object) => {
        const whole = { limit: 1000, ...query };
        const { items } = await api('listCustomerStats', { query: whole }, 200);
        const stats = items.find(({ id }) => id === customer.id)?.stats;
        return [stats?.gross_revenue, stats?.total_costs];
      };

      expect(await costs({})).toEqual([0.25, 0.5]);
      expect(await costs({ period_from: last, period_to: last })).toEqual([0.25, 0.5]);
      expect(await costs({ period_from: first, period_to: first })).toEqual([0.25, 0.5]);
      expect(await costs({ period_from: last, period_to: first })).toEqual([0.5, 1]);
    },
  );
});

describe('times in other notations', () => {
  check(
    'EVT-74',
    { requirement: 'R-CONV-21', level: 'ASSUMED', effect: 'E3', assumes: 'A-302' },
    'occurred_at without a fraction, with a tenth and in another zone → shown to the millisecond in UTC, and in that order in the task',
    async () => {
      const customer = await aFreshCustomer();
      const subject = uniqueSubject();
      const second = new Date(Math.floor(Date.parse(now(-60_000)) / 1000) * 1000).toISOString();
      const sent = [
        `${moved(second, 7_200_000 + 800).slice(0, 21)}+02:00`,
        `${second.slice(0, 19)}Z`,
        moved(second, 400),
      ];
      const events = sent.map((occurred_at) =>
        usageEvent('contract.spelling', { occurred_at, subject }),
      );
      await submit(customer, ...events);
      const task = await taskOf(customer, subject);

      expect(task.events.map(({ occurred_at }) => occurred_at)).toEqual([
        second,
        moved(second, 400),
        moved(second, 800),
      ]);
      expect([task.created_at, task.last_updated_at]).toEqual([second, moved(second, 800)]);
    },
  );
});
