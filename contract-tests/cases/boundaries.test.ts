import {
  ADDRESSES,
  aFixedPrice,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  api,
  call,
  check,
  completePaymentPage,
  describe,
  expect,
  now,
  usageEvent,
} from '../kit/index.ts';
import { listed, submit } from './shared/events.ts';
import { detailOf, subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

describe('batch size limits', () => {
  check(
    'EVT-60',
    { requirement: ['R-EVT-47', 'R-LIM-17'], level: 'ASSUMED', effect: 'E3', assumes: 'A-801' },
    'a batch of one and of a thousand events → every one stored, each once',
    async () => {
      const customer = await aFreshCustomer();
      const bare = { subject: undefined };
      for (const count of [1, 1000]) {
        const batch = Array.from({ length: count }, () => usageEvent('contract.batch', bare));
        await submit(customer, ...batch);
      }
      const query = { customer_id: customer.id, limit: 1 };
      const { total_count } = await api('listEvents', { query }, 200);
      const items = await listed({ customer_id: customer.id });

      expect(total_count).toBe(1001);
      expect(new Set(items.map(({ id }) => id)).size).toBe(1000);
    },
  );
});

describe('page size limits', () => {
  check(
    'X-45',
    { requirement: 'R-LIM-16', level: 'ASSUMED', effect: 'E0', assumes: 'A-305' },
    'limit 1 and 1000, and a large offset → accepted and echoed; limit 0, 1001, a fraction, empty, and an offset below 0 → rejected',
    async () => {
      for (const list of ['listEvents', 'listTasks', 'listCustomers', 'listProducts'] as const) {
        for (const query of [{ limit: 1 }, { limit: 1000 }, { offset: 1_000_000_000_000 }])
          expect((await call(list, { query }, [200])).body).toMatchObject(query);
        for (const query of [
          { limit: 0 },
          { limit: 1001 },
          { limit: 1.5 },
          { limit: '' },
          { offset: -1 },
          { offset: 0.5 },
        ])
          await call(list, { query }, [400]);
      }
    },
  );

  check(
    'WHK-49',
    { requirement: ['R-LIM-04', 'R-PAGE-07'], level: 'MUST', effect: 'E0' },
    'log with limit 1 and 1000 → echoed; 0 and 1001 → rejected, or not echoed, and the response is recorded',
    async (t) => {
      for (const limit of [1, 1000]) {
        const { pagination } = await api('listWebhookEvents', { query: { limit } }, 200);
        expect(pagination.limit).toBe(limit);
      }
      for (const limit of [0, 1001]) {
        const { status, body } = await call(
          'listWebhookEvents',
          { query: { limit } },
          [200, 400, 422],
        );
        t.observe(`limit ${limit}`, status);
        if (status === 200) expect(body.pagination.limit).not.toBe(limit);
      }
    },
  );
});

describe('behaviour just before and after an instant', () => {
  check(
    'AST-28',
    {
      requirement: ['R-AST-29', 'R-AST-30', 'R-AST-38'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-403', 'A-404'],
    },
    'quotes a millisecond before, at, and a millisecond after the bounds of two rates → the rate in force at that instant, none between',
    async () => {
      const { code } = await aFreshAsset({ precision: 4 });
      const path = { assetCode: code };
      const [start, end, next] = [now(-3 * DAY_MS), now(-2 * DAY_MS), now(-DAY_MS)];
      const set = (body: object) =>
        api('setAssetRate', { path, body: { source: 'USD', ...body } as never }, 204);
      await set({ rate: 2, valid_from: start, valid_to: end });
      await set({ rate: 4, valid_from: next });
      const at = async (instant: string, shift: number) => {
        const exchange_at = new Date(Date.parse(instant) + shift).toISOString();
        const body = { source: 'USD', amount: 8, exchange_at };
        const { status, body: quote } = await call('quoteAsset', { path, body }, [200, 422]);
        return status === 200 ? quote.destination_amount : 'none';
      };
      const around = async (instant: string) => [
        await at(instant, -1),
        await at(instant, 0),
        await at(instant, 1),
      ];

      expect(await around(start)).toEqual(['none', 4, 4]);
      expect(await around(end)).toEqual([4, 'none', 'none']);
      expect(await around(next)).toEqual(['none', 2, 2]);
    },
  );

  check(
    'SUB-39',
    {
      requirement: 'R-SUB-39',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-605',
      needs: 'payment.completable',
    },
    'monthly fee that starts on the last days of months of 28 to 31 days → renews on the same day of the next month, or on its last',
    async () => {
      const product = await aFreshProduct({ prices: [aFixedPrice()] });
      const year = new Date(now()).getUTCFullYear() + 1;
      const february = new Date(Date.UTC(year, 2, 0)).getUTCDate();
      const days = {
        [`${year}-01-28`]: `${year}-02-28`,
        [`${year}-01-31`]: `${year}-02-${february}`,
        [`${year}-03-30`]: `${year}-04-30`,
        [`${year}-03-31`]: `${year}-04-30`,
        [`${year}-04-30`]: `${year}-05-30`,
        [`${year}-12-31`]: `${year + 1}-01-31`,
      };
      for (const [start, renewal] of Object.entries(days)) {
        const customer = await aFreshCustomer();
        const starts_at = `${start}T23:59:59.999Z`;
        const { required_actions } = await subscribe(customer, {
          ...to(product),
          ...ADDRESSES,
          starts_at,
        });
        await completePaymentPage(required_actions[0]?.redirect_url as string, 'paid');
        const { subscriptions } = await detailOf(customer);
        expect(subscriptions?.map((each) => each.renews_at)).toEqual([`${renewal}T23:59:59.999Z`]);
      }
    },
  );
});
