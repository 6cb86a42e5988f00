import {
  type ADDRESSES,
  assuming,
  aUnitPrice,
  check,
  describe,
  expect,
  ODD_ADDRESSES,
  uuid,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { pageAt } from './shared/top-ups.ts';

const OPTIONS = { effect: 'E4', needs: 'clock.movable' } as const;

describe('credit as time passes', () => {
  check(
    'EVT-82',
    { requirement: ['R-EVT-07', 'R-WAL-34', 'R-WAL-35', 'R-WAL-39'], level: 'MUST', ...OPTIONS },
    'event, adjustment and charge repeated after a day, after the credit has ended and after two months → the first response, billed once; with another description → rejected',
    async (t) => {
      const { call, path, until, subscribe, use, available } = await aCustomerWorld(t);
      await subscribe([aUnitPrice('call', 4)]);
      const occurred_at = '2026-03-01T12:00:00.000Z';
      const event = { id: uuid(), event_type: 'call', occurred_at, data: {} };
      const credit = {
        ...{ transaction_id: uuid(), asset: 'USD', amount: 19, reason: 'gift' },
        ...{ expires_at: '2026-03-10T00:00:00Z', description: 'Welcome' },
      };
      const debit = { transaction_id: uuid(), asset: 'USD', amount: 2, description: 'Set-up' };
      const send = async () => [
        await call('adjustWallet', { path, body: credit }),
        await call('chargeWallet', { path, body: debit }),
        await call('submitEvents', { body: { customer_id: path.customerId, events: [event] } }),
      ];
      const first = await send();

      // 19 − 4 − 2
      expect(await available()).toBe(13);
      for (const [moment, left] of [
        ['2026-03-02T13:00:00.000Z', 13],
        ['2026-03-10T00:00:00.000Z', 0],
        ['2026-05-02T00:00:00.000Z', 0],
      ] as const) {
        await until(moment);
        expect(await send(), `repeated at ${moment}`).toEqual(first);
        expect(await available(), moment).toBe(left);
        await assuming('A-707', async () => {
          const description = 'Other';
          await call('adjustWallet', { path, body: { ...credit, description } }, [422]);
          await call('chargeWallet', { path, body: { ...debit, description } }, [422]);
        });
      }
      await use();
      expect(await available(), 'after another event').toBe(-4);
    },
  );
});

describe('portal links as time passes', () => {
  check(
    'POR-08',
    {
      requirement: ['R-LIM-14', 'R-POR-04'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1104',
      needs: 'clock.movable',
    },
    'two portal links of one customer with different URLs, each opened → each page leads back to its own return_url; each link after 10 minutes and each page after 30 to its own failure_url',
    async (t) => {
      const { call, path, until } = await aCustomerWorld(t);
      const [pages, expires]: [string[], string[]] = [[], []];
      const [first, second] = ODD_ADDRESSES;
      const open = async (addresses: object) => {
        const body = { customer_id: path.customerId, ...addresses };
        const { redirect_url, expires_at } = await call('createPortalSession', { body });
        expires.push(expires_at);
        const visit = new URL((await pageAt(redirect_url)).location ?? '', redirect_url).href;
        pages.push(await (await fetch(visit)).text());
        return [redirect_url as string, visit];
      };
      const isFailed = (urls: readonly string[], { failure_url }: typeof ADDRESSES) =>
        Promise.all(urls.map(async (url) => (await pageAt(url)).location === failure_url));
      const one = await open(first);
      await until('2026-03-01T12:05:00.000Z');
      const other = await open(second);
      const ended = async () => [
        ...(await isFailed(one, first)),
        ...(await isFailed(other, second)),
      ];

      expect(expires).toEqual(['2026-03-01T12:10:00.000Z', '2026-03-01T12:15:00.000Z']);
      for (const [index, page] of pages.entries()) {
        const links = ODD_ADDRESSES.map(({ return_url }) => return_url.replaceAll('&', '&amp;'));
        const shown = links.map((link) => page.includes(`href="${link}"`));
        expect(shown).toEqual([index === 0, index === 1, false]);
      }
      for (const [moment, which] of [
        ['12:09:59.999', [false, false, false, false]],
        ['12:10:00.000', [true, false, false, false]],
        ['12:15:00.000', [true, false, true, false]],
        ['12:30:00.000', [true, true, true, false]],
        ['12:35:00.000', [true, true, true, true]],
      ] as const) {
        await until(`2026-03-01T${moment}Z`);
        expect(await ended(), moment).toEqual(which);
      }
    },
  );
});
