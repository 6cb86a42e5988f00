import {
  ADDRESSES,
  aCustomer,
  api,
  call,
  check,
  expect,
  isOurs,
  now,
  ODD_ADDRESSES,
  type OwnObject,
  unknownId,
} from '../kit/index.ts';
import { MINUTE_MS } from './shared/times.ts';
import { pageAt } from './shared/top-ups.ts';

const session = (customer: OwnObject, changes: object = {}) => ({
  body: { customer_id: customer.id, ...ADDRESSES, ...changes },
});

check(
  'POR-01',
  { requirement: 'R-POR-01 R-POR-02 R-POR-03', effect: 'E4' },
  'session, with URLs that have ports, paths, queries and fragments → 200 (not 201), redirect_url, expires_at in the future',
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
  'expires_at is 10 minutes after the request; redirect_url returns an HTML page without a key',
  async (t) => {
    const asked = Date.parse(now());
    const made = await api('createPortalSession', session(await aCustomer()), 200);
    const lifetime = Date.parse(made.expires_at) - asked;
    t.observeSetting('portal_link_lifetime', `PT${Math.round(lifetime / MINUTE_MS)}M`);
    const { status, type } = await pageAt(made.redirect_url);

    expect(Math.abs(lifetime - 10 * MINUTE_MS)).toBeLessThan(isOurs() ? 5_000 : 60_000);
    expect([200, 303, 302]).toContain(status);
    if (status === 200) expect(type).toMatch(/^text\/html/);
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
