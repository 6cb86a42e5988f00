import {
  adjustment,
  aFreshCustomer,
  anAsset,
  api,
  assuming,
  aVendor,
  check,
  describe,
  expect,
  now,
  refused,
  uniqueSubject,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { statsOf } from './shared/customer-stats.ts';
import { aPayerOf, listed, stored, submit } from './shared/events.ts';
import { balance, refusedAsOther } from './shared/wallets.ts';

describe('usage event ids', () => {
  const aUnit = () => aPayerOf('unit', [{ unit_price: 1 }]);

  check(
    'EVT-52',
    { requirement: 'R-EVT-07', level: 'MUST', effect: 'E3' },
    'the same id first and last in a batch, again in the next batch with a new one, and in upper case → one event, one fee, one cost, and the new one is billed',
    async () => {
      const { customer, eventType } = await aUnit();
      const { id: vendor_id } = await aVendor();
      const costs = [{ id: uuid(), vendor_id, amount: 0.25 }];
      const twice = usageEvent(eventType, { costs });
      const [between, next] = [usageEvent(eventType), usageEvent(eventType)];
      await submit(customer, twice, between, twice);
      const first = await stored(twice.id);
      await submit(customer, twice, next);
      await assuming('A-310', () => submit(customer, { ...twice, id: twice.id.toUpperCase() }));
      const stats = await statsOf(customer);
      const ids = (await listed({ customer_id: customer.id })).map(({ id }) => id);

      expect(await stored(twice.id)).toEqual(first);
      expect(first.fees).toHaveLength(1);
      expect([...ids].sort()).toEqual([twice.id, between.id, next.id].sort());
      expect(String(await balance(customer))).toBe('-3');
      expect(stats.total_costs).toBe(0.25);
      expect(stats.gross_revenue).toBe(3);
    },
  );

  check(
    'EVT-53',
    { requirement: ['R-EVT-07', 'R-EVT-49'], level: 'ASSUMED', effect: 'E3', assumes: 'A-802' },
    'event repeated with other content → fee, subject, data, costs, time and the list unchanged, the other subject has no task',
    async () => {
      const { customer, eventType } = await aUnit();
      const { id: vendor_id } = await aVendor();
      const event = usageEvent(eventType);
      await submit(customer, event);
      const [before, [item]] = [await stored(event.id), await listed({ event_id: event.id })];
      const subject = uniqueSubject();
      const other = {
        event_type: 'contract.other',
        occurred_at: now(-60_000),
        subject,
        data: { tokens: 9 },
        costs: [{ id: uuid(), vendor_id, amount: 1 }],
      };
      for (const [name, value] of Object.entries(other))
        await submit(customer, { ...event, [name]: value });

      expect(await stored(event.id)).toEqual(before);
      expect(await listed({ event_id: event.id })).toEqual([item]);
      expect(await listed({ subject })).toEqual([]);
      expect(String(await balance(customer))).toBe('-1');
    },
  );

  check(
    'EVT-54',
    { requirement: ['R-EVT-47', 'R-EVT-48'], level: 'IMPLIED', effect: 'E3' },
    'id of a rejected batch sent again in a valid one → stored and billed then',
    async () => {
      const { customer, eventType } = await aUnit();
      const [event, bad] = [usageEvent(eventType), usageEvent(eventType, { id: 'not-a-uuid' })];
      const body = { customer_id: customer.id, events: [event, bad] };
      await refused('submitEvents', { body });
      expect(await listed({ event_id: event.id })).toEqual([]);
      expect(String(await balance(customer))).toBe('0');
      await submit(customer, event);

      expect((await stored(event.id)).fees).toHaveLength(1);
      expect(String(await balance(customer))).toBe('-1');
    },
  );
});

describe('transaction ids', () => {
  check(
    'WAL-41',
    { requirement: ['R-WAL-34', 'R-WAL-39'], level: 'ASSUMED', effect: 'E3', assumes: 'A-707' },
    'transaction_id repeated in upper case → one movement, as first sent; repeated with each other field changed → rejected, naming transaction_id',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const body = adjustment({ amount: 2.5, description: 'First' });
      await api('adjustWallet', { path, body }, 201);
      const read = () =>
        api('getWalletTransaction', { path: { ...path, transactionId: body.transaction_id } }, 200);
      const first = await read();
      const repeated = { ...body, transaction_id: body.transaction_id.toUpperCase() };
      await api('adjustWallet', { path, body: repeated }, 201);
      const changes = {
        amount: 3,
        asset: (await anAsset()).code,
        account_name: 'contract',
        reason: 'gift',
        description: 'Second',
        expires_at: now(3_600_000),
        metadata: { other: 'one' },
      };
      for (const [name, value] of Object.entries(changes))
        await refusedAsOther('adjustWallet', customer, { ...body, [name]: value });
      const { accounts } = await api('getWallet', { path }, 200);

      expect(await read()).toEqual(first);
      expect(accounts.map(({ id, available }) => [id, available])).toEqual([['default:USD', 2.5]]);
    },
  );
});

describe('external ids and codes', () => {});
