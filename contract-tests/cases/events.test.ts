import {
  aCustomer,
  aFreshCustomer,
  anAdjustment,
  aSubscriber,
  assuming,
  aVendor,
  call,
  check,
  expect,
  now,
  type OwnObject,
  refused,
  send,
  uniqueSubject,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { aNewVendor, aPayer, listed, price, stored, submit, taskOf } from './shared/events.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, moved } from './shared/times.ts';
import { edged } from './shared/values.ts';
import { charged } from './shared/wallets.ts';

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

/** What is wrong in the second event of a batch, or in its second cost: fields that replace those that would be right. */
interface Wrong {
  readonly body?: object;
  readonly event?: object;
  readonly cost?: object;
}

async function refuse({ body, event, cost }: Wrong): Promise<void> {
  const [{ id: customer_id }, { id: vendor_id }] = [await aCustomer(), await aVendor()];
  const right = () => ({ id: uuid(), vendor_id, amount: 1 });
  const costs = cost && [right(), { ...right(), ...cost }];
  const wrong = usageEvent('contract.unpriced', { ...(costs && { costs }), ...event });
  const events = [usageEvent('contract.unpriced'), wrong];
  await refused('submitEvents', { body: { customer_id, events, ...body } });
}

check(
  'EVT-01',
  {
    requirement:
      'R-CONV-21 R-EVT-01 R-EVT-02 R-EVT-03 R-EVT-04 R-EVT-08 R-EVT-09 R-EVT-10 R-EVT-12 R-EVT-13 R-EVT-14 R-EVT-16 R-EVT-17 R-EVT-18 R-EVT-34 R-EVT-35 R-EVT-36 R-EVT-37 R-EVT-38 R-EVT-45',
    effect: 'E3',
  },
  'event with every field, of a customer by id and by external id → 204 without a body; shown by id and in the list as sent, costs by either id of their vendor, in USD by default; a cost of a vendor without the external id that it names → rejected',
  async () => {
    const [{ customer, product }, vendor] = [await aSubscriber(), await aVendor()];
    const at = now(-MINUTE_MS);
    const cost = {
      vendor_id: vendor.id,
      amount: 0.5,
      currency: 'EUR',
      category: 'compute',
      description: 'Machine time',
      metadata: { region: 'eu', retries: 2, spot: true },
      units: 2,
      unit_price: 0.1,
      input_volume: 300,
      volume_rate: 1,
      package_size: 1000,
    };
    const owners = [{ customer_id: customer.id }, { customer_external_id: customer.external_id }];
    for (const owner of owners) {
      const costs = [
        { id: uuid(), ...cost },
        { id: uuid(), vendor_external_id: vendor.external_id, amount: 0.25 },
      ];
      const fields = { subject: uniqueSubject(), description: 'Contract usage' };
      const sent = usageEvent(product.eventType, {
        ...fields,
        costs,
        occurred_at: moved(at, 2 * HOUR_MS).replace('Z', '+02:00'),
        data: { model: 'large', tokens: 12.5, cached: true, spot: false, none: 0, empty: '' },
      });
      const { text } = await call('submitEvents', { body: { ...owner, events: [sent] } }, [204]);
      const shown = await stored(sent.id);
      const [item, ...others] = await listed({ event_id: sent.id });

      expect(text).toBe('');
      expect(shown).toMatchObject({
        ...sent,
        customer_id: customer.id,
        fees: [expect.anything()],
        occurred_at: expect.any(String),
        costs: [
          expect.objectContaining(costs[0] as object),
          expect.objectContaining({ id: costs[1]?.id, vendor_id: vendor.id, currency: 'USD' }),
        ],
      });
      await assuming('A-302', async () => expect(shown.occurred_at).toBe(at));
      expect(Date.parse(shown.created_at), 'created_at').not.toBeNaN();
      const { event_type, occurred_at, created_at, stats } = shown;
      expect([item, others]).toEqual([
        expect.objectContaining({
          id: sent.id,
          customer_id: customer.id,
          external_id: customer.external_id,
          ...fields,
          event_type,
          occurred_at,
          created_at,
          has_fees: true,
          stats,
        }),
        [],
      ]);
      // Its costs in two currencies add up, as in every task.
      await taskOf(customer, fields.subject);
    }
    const nameless = { vendor_id: await aNewVendor({ external_id: null }) };
    await assuming('A-804', () =>
      refuse({ cost: { ...nameless, vendor_external_id: vendor.external_id } }),
    );
  },
);

check(
  'EVT-18',
  { requirement: 'R-LIM-12 R-LIM-13', effect: 'E3', assumes: 'A-803' },
  'occurred_at further and further in the past and in the future → the oldest and the latest that are accepted are found and recorded',
  async (t) => {
    const { id: customer_id } = await aCustomer();
    const isAccepted = async (offsetMs: number) => {
      const event = usageEvent('contract.unpriced', { occurred_at: now(offsetMs) });
      return (
        (await send('submitEvents', { body: { customer_id, events: [event] } })).status === 204
      );
    };
    // Half a day less, so that the duration of the request does not matter.
    const days = await largest(400, (count) => isAccepted((0.5 - count) * DAY_MS));
    const minutes = await largest(200, (count) => isAccepted((count - 0.5) * MINUTE_MS));
    t.observe('event_max_age', `P${days}D`);
    t.observe('event_max_ahead', `PT${minutes}M`);

    expect([days, minutes]).toEqual([34, 5]);
  },
);

check(
  'EVT-102',
  { requirement: 'R-EVT-07 R-EVT-61 R-WAL-34', effect: 'E4', assumes: 'A-802 A-310 A-707 A-804' },
  'one id, in either case, for a usage event, its cost, credit of its customer and a charge or a debit of another, in either order → each kept apart; the event of the other customer → rejected; the id of a cost finds no event and no transaction',
  async () => {
    const vendor_id = (await aVendor()).id;
    const use = (id: string, costId: string) =>
      usageEvent('contract.same', { id, costs: [{ id: costId, vendor_id, amount: 1 }] });
    for (const isEventFirst of [true, false]) {
      const [one, other] = [await aFreshCustomer(), await aFreshCustomer()];
      const [id, costId] = [uuid(), uuid()];
      const moneyOf = async (of: OwnObject, transactionId: string) => {
        const path = { customerId: of.id, transactionId };
        const { status, body } = await call('getWalletTransaction', { path }, [200, 404]);
        return status === 200 ? body.amount : status;
      };
      if (isEventFirst) await submit(one, use(id, id));
      expect(await moneyOf(one, id), 'no transaction yet').toBe(404);
      await anAdjustment(one, { transaction_id: id, amount: 4 });
      const same = { transaction_id: id.toUpperCase() };
      if (isEventFirst) await charged(other, { ...same, amount: 2 });
      else await anAdjustment(other, { ...same, amount: -2 });
      if (!isEventFirst) await submit(one, use(id.toUpperCase(), id));
      await refuse({ event: { id }, body: { customer_id: other.id } });
      await submit(one, use(uuid(), costId));
      await submit(other, use(costId, uuid()));
      for (const taken of [costId, costId.toUpperCase()])
        await refuse({ cost: { id: taken, vendor_id }, body: { customer_id: other.id } });

      expect([await moneyOf(one, id), await moneyOf(other, id)]).toEqual([4, -2]);
      expect(await moneyOf(one, costId), 'a transaction by the id of a cost').toBe(404);
      expect(await stored(id)).toMatchObject({ customer_id: one.id, costs: [{ id }] });
      expect(await stored(costId)).toMatchObject({ customer_id: other.id });
    }
  },
);

/** Numbers as they can be sent, and the same in plain decimal notation. */
const PLAIN = [
  ['-0', '0'],
  ['1.50', '1.5'],
  ['1e2', '100'],
  ['-1.25E+3', '-1250'],
  ['0.000001', '0.000001'],
  ['1.5e-7', '0.00000015'],
  ['1e-20', '0.00000000000000000001'],
  ['1e14', '100000000000000'],
  ['-999999999999999', '-999999999999999'],
] as const;

check(
  'EVT-92',
  { requirement: 'R-EVT-30', effect: 'E3', assumes: 'A-507 A-303' },
  'numbers of all sizes in data, very small and very large, however written → match the dimension with the same number in plain decimal notation, given as text or as a number, and no other; shown so in the fee, billed or simulated',
  async () => {
    const plain = [...new Set(PLAIN.map(([, text]) => text))];
    for (const given of [(text: string) => text, Number]) {
      const values = plain.map((text, index) => ({
        dimensions: { key: given(text) },
        unit_price: index + 1,
      }));
      const { customer, eventType, product } = await aPayer((type) => [
        price(type, 'unit', values, { billable_dimensions: ['key'] }),
      ]);
      const version = { productId: product.id, version: 'default' };
      const events = PLAIN.map(([sent], index) => {
        return { ...usageEvent(eventType), data: { key: `@${index}`, sent } };
      });
      const raw = JSON.stringify({ customer_id: customer.id, events }).replace(
        /"@(\d+)"/g,
        (_, index: string) => String(PLAIN[Number(index)]?.[0]),
      );
      const { fees } = (await call('simulateUsage', { path: version, raw }, [200])).body;
      await call('submitEvents', { raw }, [204]);
      for (const [index, [sent, text]] of PLAIN.entries()) {
        const billed = (await stored(events[index]?.id as string)).fees;
        const wanted = { amount: plain.indexOf(text) + 1, dimensions: { key: text } };

        expect([fees[index], ...billed], sent).toMatchObject([wanted, wanted]);
      }
    }
  },
);

/** Texts that differ only at their ends or by letter case. */
const alike = (text: string) => [...edged(text), text.toUpperCase()];

check(
  'EVT-89',
  { requirement: 'R-EVT-30', effect: 'E3' },
  'event types, volume fields, dimensions and their values that differ only by letter case, or by spaces and other unseen characters at their ends → priced each by its own alone, shown as sent, and filtered by exactly the type',
  async () => {
    const [types, fields] = [alike('use'), alike('field')];
    const { customer, eventType } = await aPayer((type) => [
      ...alike(type).map((each, index) => ({
        ...price(each, 'unit', [{ unit_price: index + 1 }]),
        name: `T${index}`,
      })),
      ...fields.map((volume_field, index) => ({
        ...price(`${type}.volume`, 'volume', [{ volume_rate: index + 1 }], { volume_field }),
        name: `V${index}`,
      })),
      price(
        `${type}.value`,
        'unit',
        fields.flatMap((key, place) =>
          types.map((value, index) => ({
            dimensions: { [key]: value },
            unit_price: place * 100 + index,
          })),
        ),
        { billable_dimensions: fields },
      ),
    ]);
    const uses: [type: string, data: object, fee: readonly [number, unknown]][] = [
      ...alike(eventType).map((type, index) => [type, { x: 'x' }, [index + 1, null]] as never),
      ...fields.flatMap((field, place) => {
        const dimensions = { [field]: types[place] };
        return [
          [`${eventType}.volume`, { [field]: 1 }, [place + 1, field]],
          [`${eventType}.value`, dimensions, [place * 101, dimensions]],
        ] as never[];
      }),
    ];
    const events = uses.map(([type, data]) => usageEvent(type, { data }));
    await submit(customer, ...events);
    for (const [index, [type, data, fee]] of uses.entries()) {
      const event = await stored(events[index]?.id as string);
      expect([event.event_type, event.data]).toEqual([type, data]);
      const shown = event.fees.map((each) => [each.amount, each.volume_field ?? each.dimensions]);
      expect(shown, JSON.stringify([type, data])).toEqual([fee]);
    }
    for (const type of alike(eventType)) {
      const query = { customer_id: customer.id, event_types: [type] };
      const found = (await listed(query)).map(({ event_type }) => event_type);
      await assuming('A-806', async () => expect(found).toEqual([type]));
    }
  },
);
