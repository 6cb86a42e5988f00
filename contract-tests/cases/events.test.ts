import {
  aCustomer,
  api,
  aSubscriber,
  aUsageEvent,
  aVendor,
  call,
  check,
  describe,
  expect,
  now,
  type OwnObject,
  refused,
  send,
  unique,
  unknownId,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { stored } from './shared/events.ts';
import { omit } from './shared/fields.ts';
import { DAY_MS, MINUTE_MS } from './shared/times.ts';

function refuse(customer: OwnObject, events: unknown) {
  return refused('submitEvents', { body: { customer_id: customer.id, events } });
}

/** The largest accepted count up to `most`, if every smaller count is accepted too. */
async function largest(most: number, isAccepted: (count: number) => Promise<boolean>) {
  let [known, refused] = [0, most + 1];
  while (refused - known > 1) {
    const middle = Math.floor((known + refused) / 2);
    if (await isAccepted(middle)) known = middle;
    else refused = middle;
  }
  return known;
}

describe('submitEvents', () => {
  check(
    'EVT-01',
    {
      requirement: ['R-EVT-01', 'R-EVT-08', 'R-EVT-13', 'R-EVT-14', 'R-EVT-45'],
      level: 'MUST',
      effect: 'E3',
    },
    'submit one event → 204 empty; GET shows the required stored fields, fees array',
    async () => {
      const { customer, product } = await aSubscriber();
      const event = usageEvent(product.eventType);
      const body = { customer_id: customer.id, events: [event] as never };
      const { text } = await call('submitEvents', { body }, [204]);
      const shown = await stored(event.id);

      expect(text).toBe('');
      expect(shown).toMatchObject({
        id: event.id,
        customer_id: customer.id,
        event_type: product.eventType,
      });
      expect(Date.parse(shown.occurred_at)).not.toBeNaN();
      expect(Date.parse(shown.created_at)).not.toBeNaN();
      expect(Array.isArray(shown.fees)).toBe(true);
    },
  );

  check(
    'EVT-03',
    { requirement: ['R-EVT-02', 'R-EVT-03', 'R-EVT-04'], level: 'MUST', effect: 'E3' },
    'customer_external_id works as well as customer_id; both missing → rejected',
    async () => {
      const { customer, product } = await aSubscriber();
      const event = usageEvent(product.eventType);
      const body = { customer_external_id: customer.external_id, events: [event] as never };
      await api('submitEvents', { body }, 204);
      await refused('submitEvents', { body: { events: [usageEvent(product.eventType)] } });

      expect((await stored(event.id)).customer_id).toBe(customer.id);
    },
  );

  check(
    'EVT-04',
    { requirement: ['R-CONV-15', 'R-EVT-06'], level: 'MUST', effect: 'E1' },
    'id not UUID-shaped → rejected',
    async () => {
      await refuse(await aCustomer(), [usageEvent('contract.call', { id: 'not-a-uuid' })]);
    },
  );

  check(
    'EVT-05',
    { requirement: ['R-EVT-10', 'R-EVT-11'], level: 'MUST', effect: 'E3' },
    'data values string, boolean, number accepted; nested object → rejected',
    async () => {
      const customer = await aCustomer();
      const data = { model: 'large', tokens: 12.5, cached: true };
      const event = await aUsageEvent(customer, 'contract.unpriced', { data });
      await refuse(customer, [usageEvent('contract.unpriced', { data: { deep: { er: 1 } } })]);

      expect((await stored(event.id)).data).toEqual(data);
    },
  );

  check(
    'EVT-15',
    { requirement: ['R-EVT-12', 'R-EVT-34', 'R-EVT-38'], level: 'MUST', effect: 'E3' },
    'cost with vendor_id or vendor_external_id accepted; neither → rejected; currency defaults to USD',
    async () => {
      const customer = await aCustomer();
      const vendor = await aVendor();
      const cost = (changes: object) => ({ id: uuid(), amount: 0.5, ...changes });
      const event = await aUsageEvent(customer, 'contract.unpriced', {
        costs: [cost({ vendor_id: vendor.id }), cost({ vendor_external_id: vendor.external_id })],
      });
      await refuse(customer, [usageEvent('contract.unpriced', { costs: [cost({})] })]);
      const { costs } = await stored(event.id);

      expect(costs?.map(({ currency }) => currency)).toEqual(['USD', 'USD']);
      expect(costs?.map(({ vendor_id }) => vendor_id)).toEqual([vendor.id, vendor.id]);
    },
  );

  check(
    'EVT-18',
    { requirement: ['R-LIM-12', 'R-LIM-13'], level: 'ASSUMED', effect: 'E3', assumes: 'A-803' },
    'occurred_at further and further in the past → the oldest accepted is found (not shown); the same for the future',
    async (t) => {
      const customer = await aCustomer();
      const isAccepted = async (offsetMs: number) => {
        const event = usageEvent('contract.unpriced', { occurred_at: now(offsetMs) });
        const body = { customer_id: customer.id, events: [event] };
        return (await send('submitEvents', { body })).status === 204;
      };
      // Half a day less, so that the duration of the request does not matter.
      const days = await largest(400, (count) => isAccepted((0.5 - count) * DAY_MS));
      const minutes = await largest(200, (count) => isAccepted((count - 0.5) * MINUTE_MS));
      t.observeSetting('event_max_age', `P${days}D`);
      t.observeSetting('event_max_ahead', `PT${minutes}M`);

      expect([days, minutes]).toEqual([34, 5]);
    },
  );

  check(
    'EVT-20',
    { requirement: ['R-CONV-16', 'R-EVT-33'], level: 'MUST', effect: 'E1' },
    'cost without id, with an id not UUID-shaped, without amount → rejected',
    async () => {
      const customer = await aCustomer();
      const { id: vendor_id } = await aVendor();
      const cost = { id: uuid(), vendor_id, amount: 1 };
      const bad = [omit(cost, 'id'), { ...cost, id: 'not-a-uuid' }, omit(cost, 'amount')];
      for (const one of bad) await refuse(customer, [usageEvent('contract.c', { costs: [one] })]);
    },
  );

  check(
    'EVT-21',
    { requirement: 'R-CONV-21', level: 'ASSUMED', effect: 'E3', assumes: 'A-302' },
    'occurred_at with an offset → stored as the same instant in UTC',
    async () => {
      const customer = await aCustomer();
      const moment = now(-60_000);
      const local = new Date(Date.parse(moment) + 2 * 3_600_000)
        .toISOString()
        .replace('Z', '+02:00');
      const event = await aUsageEvent(customer, 'contract.unpriced', { occurred_at: local });

      expect((await stored(event.id)).occurred_at).toBe(moment);
    },
  );

  check(
    'EVT-23',
    { requirement: 'R-LIM-17', level: 'ASSUMED', effect: 'E1', assumes: 'A-801' },
    'batch of 0 and of 1001 events → rejected',
    async () => {
      const customer = await aCustomer();
      await refuse(customer, []);
      await refuse(
        customer,
        Array.from({ length: 1001 }, () => usageEvent('contract.unpriced')),
      );
    },
  );

  check(
    'EVT-25',
    { requirement: ['R-EVT-05', 'R-EVT-62'], level: 'MUST', effect: 'E1', assumes: 'A-309' },
    'events missing, events not an array, event without id, event_type or occurred_at → rejected',
    async () => {
      const customer = await aCustomer();
      await refuse(customer, undefined);
      await refuse(customer, 'none');
      for (const field of ['id', 'event_type', 'occurred_at'])
        await refuse(customer, [omit(usageEvent('contract.unpriced'), field)]);
    },
  );

  check(
    'EVT-30',
    { requirement: 'R-EVT-50', level: 'ASSUMED', effect: 'E1', assumes: 'A-801' },
    'customer_id and customer_external_id together → rejected',
    async () => {
      const { id, external_id } = await aCustomer();
      const events = [usageEvent('contract.unpriced')];
      await refused('submitEvents', {
        body: { customer_id: id, customer_external_id: external_id, events },
      });
    },
  );

  check(
    'EVT-31',
    { requirement: 'R-EVT-51', level: 'ASSUMED', effect: 'E1', assumes: 'A-804' },
    'cost of an unknown vendor, or id and external id that disagree → rejected',
    async () => {
      const customer = await aCustomer();
      const { id: vendor_id } = await aVendor();
      const cost = { id: uuid(), amount: 1 };
      const bad = [
        { ...cost, vendor_id: unknownId('vnd') },
        { ...cost, vendor_id, vendor_external_id: unique('other') },
      ];
      for (const one of bad) await refuse(customer, [usageEvent('contract.c', { costs: [one] })]);
    },
  );

  check(
    'EVT-36',
    { requirement: 'R-EVT-61', level: 'ASSUMED', effect: 'E1', assumes: 'A-802' },
    'used event id for another customer → rejected',
    async () => {
      const [customer, other] = [await aCustomer(), await aCustomer('other')];
      const event = await aUsageEvent(customer, 'contract.unpriced');
      await refuse(other, [usageEvent('contract.unpriced', { id: event.id })]);
    },
  );
});
