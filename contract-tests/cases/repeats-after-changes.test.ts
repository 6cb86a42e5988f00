import {
  ADDRESSES,
  adjustment,
  aFixedPrice,
  aFreshCustomer,
  api,
  aUnitPrice,
  type CheckContext,
  call,
  check,
  describe,
  expect,
  type OwnObject,
  refused,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { listed, stored, submit } from './shared/events.ts';
import { aNewVendor } from './shared/vendors.ts';
import { balance, charge } from './shared/wallets.ts';

/** A customer world that sends usage, and sends again all that it sent before, in different ways. */
async function aSender(t: CheckContext) {
  const world = await aCustomerWorld(t);
  const { call: ask, path } = world;
  const sent: { readonly id: string }[] = [];
  const submitAll = (events: readonly object[], statuses = [204]) =>
    ask('submitEvents', { body: { customer_id: path.customerId, events } }, statuses);
  const account = { ...path, accountId: 'default:USD' };
  const fees = async (): Promise<number[][]> => {
    const all = [];
    for (const { id } of sent) {
      const event = await ask('getEvent', { path: { eventId: id } });
      all.push(event.fees.map((fee: { readonly amount: number }) => fee.amount));
    }
    return all;
  };
  const state = async () => [
    await ask('listEvents', {}),
    await ask('listTasks', {}),
    await ask('getWalletAccount', { path: account }),
    await ask('listGrants', { path: account }),
    await ask('getCustomerStats', { path }),
    await fees(),
  ];
  return {
    ...world,
    submitAll,
    fees,
    /** Sends an event of now, or of another time. */
    async send(event_type = 'call', changes: object = {}) {
      const { now } = await ask('getClock', {});
      const event = usageEvent(event_type, { occurred_at: now, subject: 'task', ...changes });
      await submitAll([event]);
      sent.push(event);
      return event;
    },
    /** Sends everything again, unchanged and with other content, and expects that nothing changes. */
    async repeat() {
      const before = await state();
      const { now: occurred_at } = await ask('getClock', {});
      await submitAll(sent);
      for (const event of sent) await submitAll([event]);
      const others = ['call', 'other', 'late'].map((event_type) => ({ event_type, occurred_at }));
      for (const other of [...others, { occurred_at }, { subject: 'elsewhere' }])
        await submitAll(sent.map((event) => ({ ...event, ...other })).reverse());
      await submitAll(sent.map((event) => ({ ...event, id: event.id.toUpperCase() })));
      expect(await state()).toEqual(before);
    },
  };
}

describe('usage repeated after changes of subscriptions', () => {
  check(
    'EVT-101',
    {
      requirement: ['R-EVT-07', 'R-EVT-49'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-608', 'A-802'],
      needs: 'clock.movable',
    },
    'usage from before a subscription, of each of its versions, from after its end and from before a payment, repeated alone, in batches and with other content, type and time, after each start, change of version, end, reactivation, payment and second product, and when it is too old to be new → accepted, fees, credit, tasks, lists and stats unchanged; new usage, and that of a rejected batch, billed by its time',
    async (t) => {
      const world = await aSender(t);
      const { call: ask, path, send, repeat, until } = world;
      await world.adjust({ amount: 1000, reason: 'external_topup' });
      const hour = (count: number) => `2026-03-01T${12 + count}:00:00.000Z`;
      // Before any subscription, then as one begins, also if it began before the usage.
      await send();
      const plan = { name: 'Plan', code: 'plan', prices: [aUnitPrice('call', 1)], publish: true };
      const { id: productId } = await ask('createProduct', { body: plan });
      const terms = { products: [{ id: productId }], starts_at: '2026-02-20T12:00:00.000Z' };
      const { id: subscriptionId } = await ask('createSubscription', { path, body: terms });
      const of = { ...path, subscriptionId, productId };
      await repeat();
      await send();
      // A rejected event that is sent again after the change is billed by its time.
      const early = usageEvent('call', { occurred_at: hour(0), subject: 'task' });
      await world.submitAll([early, { ...early, id: 'no-uuid' }], [422]);

      await until(hour(1));
      const dearer = { prices: [aUnitPrice('call', 10)], publish: true };
      await ask('createProductVersion', { path: { productId }, body: dearer });
      await ask('updateSubscriptionProduct', { path: of, body: { version: 2 } });
      await repeat();
      await send();
      await send('call', early);
      expect(await world.fees()).toEqual([[], [1], [10], [1]]);

      await until(hour(2));
      await ask('updateSubscription', { path: of, body: { status: 'inactive' } });
      await repeat();
      await send();
      await send('call', { occurred_at: hour(1) });
      await until(hour(3));
      await ask('updateSubscription', { path: of, body: { status: 'active' } });
      await repeat();
      await send();
      await send('call', { occurred_at: hour(2) });

      // A second product with the same event type, and one that awaits its payment.
      await until(hour(4));
      await world.subscribe([aUnitPrice('call', 100)]);
      await repeat();
      await send();
      const paid = { ...plan, code: 'paid', prices: [aFixedPrice(5), aUnitPrice('other', 7)] };
      const { id } = await ask('createProduct', { body: paid });
      const body = { products: [{ id }], ...ADDRESSES };
      const unpaid = await ask('createSubscription', { path, body });
      await send('other');
      await until(hour(5));
      await ask('settlePayment', { path: { id: unpaid.id }, body: { outcome: 'succeeded' } });
      await repeat();
      await send('other');
      await ask('updateSubscriptionProduct', { path: of, body: { version: 1 } });
      await ask('updateSubscription', {
        path: { ...of, subscriptionId: unpaid.id },
        body: { status: 'inactive' },
      });
      await repeat();
      await until('2026-04-20T12:00:00.000Z');
      await repeat();

      expect(await world.fees()).toEqual([
        ...[[], [1], [10], [1]],
        ...[[], [10], [10], []],
        ...[[10, 100], [], [7]],
      ]);
      // 1000 − (1 + 10 + 1 + 10 + 10 + 110 + 7)
      expect(await world.available()).toBe(851);
    },
  );
});

describe('one id for an event, a cost and a transaction', () => {
  const moneyOf = async (customer: OwnObject, transactionId: string) => {
    const path = { customerId: customer.id, transactionId };
    const { status, body } = await call('getWalletTransaction', { path }, [200, 404]);
    return status === 200 ? body.amount : status;
  };

  check(
    'EVT-102',
    {
      requirement: ['R-EVT-07', 'R-WAL-34'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-310', 'A-707', 'A-802', 'A-804'],
    },
    'one id for a usage event, its cost and a transaction of a customer, in either order, in either case, as credit and as charge, and a transaction of another customer → each kept apart; a second transaction of that customer and an event of the other → rejected; the id of a cost is none of an event or of a transaction',
    async () => {
      const [one, other] = [await aFreshCustomer(), await aFreshCustomer()];
      const vendor_id = await aNewVendor();
      const move = (customer: OwnObject, id: string, amount: number, statuses = [201]) => {
        const path = { customerId: customer.id };
        return amount > 0
          ? call(
              'adjustWallet',
              { path, body: adjustment({ transaction_id: id, amount }) },
              statuses,
            )
          : call('chargeWallet', { path, body: charge({ transaction_id: id, amount: -amount }) }, [
              ...statuses,
            ]);
      };
      const use = (id: string, costId = id) =>
        usageEvent('contract.same', { id, costs: [{ id: costId, vendor_id, amount: 1 }] });
      for (const [amount, first] of [
        [4, 'event'],
        [4, 'movement'],
        [-1, 'event'],
        [-1, 'movement'],
      ] as const) {
        const [id, costOnly, unused] = [uuid(), uuid(), uuid()];
        const upper = id.toUpperCase();
        if (first === 'event') {
          await submit(one, use(id));
          expect([await moneyOf(one, id), await moneyOf(other, id)]).toEqual([404, 404]);
        }
        await move(one, id, amount);
        if (first === 'movement') {
          await api('getEvent', { path: { eventId: id } }, 404);
          expect(await listed({ event_id: id })).toEqual([]);
          await submit(one, use(id));
        }
        await move(other, upper, amount * 2);
        await move(one, upper, -amount, [422]);
        await move(other, id, -amount * 2, [422]);
        await refused('submitEvents', {
          body: { customer_id: other.id, events: [use(id, uuid())] },
        });
        await submit(one, use(upper, uuid()));

        // The id of a cost is none of an event or of a transaction.
        await submit(one, use(uuid(), costOnly));
        expect(await listed({ event_id: costOnly })).toEqual([]);
        await submit(other, use(costOnly, unused));
        await move(one, costOnly, amount);
        await move(other, unused, amount);
        await submit(one, use(unused, uuid()));

        expect([await moneyOf(one, upper), await moneyOf(other, id)]).toEqual([amount, amount * 2]);
        expect([await moneyOf(one, costOnly), await moneyOf(other, costOnly)]).toEqual([
          amount,
          404,
        ]);
        expect(await stored(id)).toMatchObject({ customer_id: one.id, costs: [{ id }] });
        expect(await listed({ event_id: id })).toMatchObject([{ id, customer_id: one.id }]);
        expect(await stored(costOnly)).toMatchObject({ customer_id: other.id });
        expect(await stored(unused)).toMatchObject({ customer_id: one.id });
      }

      // Twice 4 and −1 each: for one also the cost's, for the other twice as much and the third's.
      expect([String(await balance(one)), String(await balance(other))]).toEqual(['12', '18']);
    },
  );
});
