import {
  ADDRESSES,
  aCustomer,
  aCustomerWorld,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  aProduct,
  api,
  assuming,
  call,
  check,
  completePaymentPage,
  expect,
  isOurs,
  leadsTo,
  now,
  ODD_ADDRESSES,
  type OwnObject,
  unknownId,
} from '../kit/index.ts';
import { pay, shown, subscribe, to } from './shared/subscriptions.ts';
import { MINUTE_MS } from './shared/times.ts';
import { pageAt } from './shared/wallets.ts';
import { activationsOf } from './shared/webhooks.ts';

const [ODD] = ODD_ADDRESSES;

check(
  'SUB-40',
  {
    requirement: 'R-SUB-13 R-SUB-14 R-SUB-41 R-SUB-51',
    effect: 'E4',
    assumes: 'A-1103 A-1104 A-606',
    needs: 'payment.completable',
  },
  'subscription paid with redirect_to left out, return_url and portal, with it or a URL changed or cleared by an update, and declined → leads to the current return_url, the portal, the current failure_url',
  async () => {
    const product = await aFreshProduct({ prices: [aFixedPrice()] });
    const paidTo = async (
      terms: object,
      change?: object,
      outcome: 'paid' | 'declined' = 'paid',
    ) => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const { id, required_actions } = await subscribe(customer, {
        ...to(product),
        ...ODD,
        ...terms,
      });
      const of = { ...path, subscriptionId: id };
      if (change) await call('updateSubscription', { path: of, body: change }, [204]);
      const link = required_actions[0]?.redirect_url as string;
      return { led: await leadsTo(link, outcome), link };
    };
    const other = ODD_ADDRESSES[1].return_url;
    const portals = [
      await paidTo({ redirect_to: 'portal' }),
      await paidTo({}, { redirect_to: 'portal' }),
    ];

    for (const each of ODD_ADDRESSES) {
      expect((await paidTo(each)).led).toBe(each.return_url);
      expect((await paidTo(each, {}, 'declined')).led).toBe(each.failure_url);
    }
    expect((await paidTo({ redirect_to: 'portal' }, { redirect_to: null })).led).toBe(
      ODD.return_url,
    );
    expect((await paidTo({}, { return_url: other })).led).toBe(other);
    expect((await paidTo({}, { failure_url: other }, 'declined')).led).toBe(other);
    for (const { led, link } of portals) {
      expect(led).not.toContain('contract.invalid');
      const page = await fetch(new URL(led, link));
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    }
  },
);

check(
  'SUB-12',
  { requirement: 'R-SUB-23 R-SUB-24 R-WHK-35', effect: 'E4', needs: 'payment.completable' },
  'payment declined → still action_required, with a link; then paid → active, and one `subscription.activated`',
  async () => {
    const customer = await aFreshCustomer();
    const product = await aProduct('fixed');
    const made = await subscribe(customer, { ...to(product), ...ADDRESSES });
    const link = made.required_actions?.[0]?.redirect_url ?? '';
    await completePaymentPage(link, 'declined');
    await assuming('A-604', async () => {
      const { status, required_actions } = await shown(customer, made.id);
      expect(status, 'after a declined payment').toBe('action_required');
      expect(URL.canParse(required_actions?.[0]?.redirect_url ?? ''), 'its link').toBe(true);
    });
    const paid = await pay(customer, await shown(customer, made.id));

    expect(paid.required_actions ?? []).toEqual([]);
    expect(Date.parse(paid.started_at ?? ''), 'started_at').not.toBeNaN();
    expect(await activationsOf(made.id)).toHaveLength(1);
    // A month after the start, on the same day or the last of the month.
    const start = new Date(paid.started_at ?? '');
    const lastDay = new Date(start);
    lastDay.setUTCMonth(start.getUTCMonth() + 2, 0);
    const due = new Date(start);
    due.setUTCMonth(start.getUTCMonth() + 1, Math.min(start.getUTCDate(), lastDay.getUTCDate()));
    await assuming('A-605', async () => expect(paid.renews_at).toBe(due.toISOString()));
  },
);

check(
  'POR-08',
  { requirement: 'R-LIM-14 R-POR-04', effect: 'E4', assumes: 'A-1104', needs: 'clock.movable' },
  'two portal links of one customer with different URLs, each opened → each page leads back to its own return_url; each link after 10 minutes and each page 30 minutes after it was opened to its own failure_url',
  async (t) => {
    const { call, path, until } = await aCustomerWorld(t);
    const [pages, expires]: [string[], string[]] = [[], []];
    const [first, second] = ODD_ADDRESSES;
    const open = async (addresses: object, openedAt: string) => {
      const body = { customer_id: path.customerId, ...addresses };
      const { redirect_url, expires_at } = await call('createPortalSession', { body });
      expires.push(expires_at);
      await until(openedAt);
      const visit = new URL((await pageAt(redirect_url)).location ?? '', redirect_url).href;
      pages.push(await (await fetch(visit)).text());
      return [redirect_url as string, visit];
    };
    const isFailed = (urls: readonly string[], { failure_url }: typeof ADDRESSES) =>
      Promise.all(urls.map(async (url) => (await pageAt(url)).location === failure_url));
    const one = await open(first, '2026-03-01T12:01:00.000Z');
    const other = await open(second, '2026-03-01T12:08:00.000Z');
    const ended = async () => [...(await isFailed(one, first)), ...(await isFailed(other, second))];

    expect(expires).toEqual(['2026-03-01T12:10:00.000Z', '2026-03-01T12:11:00.000Z']);
    for (const [index, page] of pages.entries()) {
      const links = ODD_ADDRESSES.map(({ return_url }) => return_url.replaceAll('&', '&amp;'));
      const shown = links.map((link) => page.includes(`href="${link}"`));
      expect(shown).toEqual([index === 0, index === 1, false]);
    }
    for (const [moment, which] of [
      ['12:09:59.999', [false, false, false, false]],
      ['12:10:00.000', [true, false, false, false]],
      ['12:30:59.999', [true, false, true, false]],
      ['12:31:00.000', [true, true, true, false]],
      ['12:38:00.000', [true, true, true, true]],
    ] as const) {
      await until(`2026-03-01T${moment}Z`);
      expect(await ended(), moment).toEqual(which);
    }
  },
);

const session = (customer: OwnObject, changes: object = {}) => ({
  body: { customer_id: customer.id, ...ADDRESSES, ...changes },
});

check(
  'POR-01',
  { requirement: 'R-POR-01 R-POR-02 R-POR-03', effect: 'E4' },
  'session with URLs that have ports, paths, queries and fragments → 200 (not 201), redirect_url, expires_at in the future',
  async () => {
    const customer = await aCustomer();
    for (const addresses of [ADDRESSES, ...ODD_ADDRESSES]) {
      const made = await api('createPortalSession', session(customer, addresses), 200);

      expect(URL.canParse(made.redirect_url)).toBe(true);
      expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.parse(now()));
    }
  },
);

check(
  'POR-03',
  { requirement: 'R-LIM-14 R-POR-04', effect: 'E4', assumes: 'A-1104' },
  'expires_at is 10 minutes after the request; redirect_url returns an HTML page without a key, and is another one for each session',
  async (t) => {
    const [customer, asked] = [await aCustomer(), Date.parse(now())];
    const made = await api('createPortalSession', session(customer), 200);
    const lifetime = Date.parse(made.expires_at) - asked;
    t.observe('portal_link_lifetime', `PT${Math.round(lifetime / MINUTE_MS)}M`);
    const { status, type } = await pageAt(made.redirect_url);

    expect(Math.abs(lifetime - 10 * MINUTE_MS)).toBeLessThan(isOurs() ? 5_000 : 60_000);
    expect([200, 303, 302]).toContain(status);
    if (status === 200) expect(type).toMatch(/^text\/html/);
    const other = await api('createPortalSession', session(customer), 200);
    expect(other.redirect_url, 'another session').not.toBe(made.redirect_url);
  },
);

check(
  'POR-05',
  { requirement: 'R-POR-05', effect: 'E1', assumes: 'A-201' },
  'session for an unknown customer → 422, 404 or 400',
  async (t) => {
    const body = { ...session(await aCustomer()).body, customer_id: unknownId('cust') };
    const { status } = await call('createPortalSession', { body }, [422, 404, 400]);
    t.observe('unknown customer', status);

    expect(status).toBe(422);
  },
);
