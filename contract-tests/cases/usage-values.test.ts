import { api, assuming, aUsageEvent, check, expect, refused, usageEvent } from '../kit/index.ts';
import { aPayer, listed, price, ROWS, stored, submit } from './shared/events.ts';
import { edged } from './shared/values.ts';

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

/** What no volume is. */
const NO_VOLUMES = [null, [], ['x'], {}, { x: 'x' }];

/** Prices by volume: flat, with a price per event, and in each pricing model. */
const byVolume = (type: string): object[] => {
  const modelled = (pricing_model: string, values: object[], more: object = {}) => ({
    ...price(type, 'volume', values),
    ...{ name: pricing_model, pricing_model, tiering: { basis: 'volume' }, ...more },
  });
  return [
    price(type, 'volume', [{ volume_rate: 2 }]),
    { ...price(type, 'unit_and_volume', [{ unit_price: 1, volume_rate: 2 }]), name: 'Both' },
    modelled('tiered', ROWS),
    modelled('bulk', ROWS),
    modelled('package', [{ volume_rate: 4, package_size: 10 }], { tiering: undefined }),
  ];
};

check(
  'EVT-88',
  { requirement: 'R-EVT-57', effect: 'E3', assumes: 'A-508' },
  'volumes that are true, false, numeric and other texts, or below 0 → no fee in any pricing model, billed or simulated, and not counted; null, lists and maps → rejected; 0 and more → a fee',
  async () => {
    const { customer, eventType, product } = await aPayer(byVolume);
    const path = { productId: product.id, version: 'default' };
    const texts = ['', ' ', '0', '3', '3.0', '0x3', 'three', 'true', 'NaN'];
    const unpriced = [...texts, true, false, -3].map((tokens) =>
      usageEvent(eventType, { data: { tokens, other: 3 } }),
    );
    const unbilled = { customer_id: customer.id, events: unpriced as never };
    expect((await api('simulateUsage', { path, body: unbilled }, 200)).fees).toEqual([]);
    await api('submitEvents', { body: unbilled }, 204);
    for (const { id } of unpriced) expect((await stored(id)).fees).toEqual([]);
    for (const tokens of NO_VOLUMES) {
      const body = {
        customer_id: customer.id,
        events: [usageEvent(eventType, { data: { tokens } })],
      };
      await refused('submitEvents', { body });
      await refused('simulateUsage', { path, body });
    }
    const fees = async (tokens: number) =>
      (await stored((await aUsageEvent(customer, eventType, { data: { tokens } })).id)).fees.map(
        ({ amount, input_volume }) => [amount, input_volume],
      );

    const none = [0, 1, 0, 0, 0].map((sum) => [sum, 0]);
    const events = [usageEvent(eventType, { data: { tokens: 0 } })] as never;
    const body = { customer_id: customer.id, events };
    const { fees: simulated } = await api('simulateUsage', { path, body }, 200);
    expect(simulated.map(({ amount, input_volume }) => [amount, input_volume])).toEqual(none);
    expect(await fees(0)).toEqual(none);
    // Up to 100, a token costs 1; the first package of ten costs 4.
    expect(await fees(99)).toEqual([198, 199, 99, 99, 40].map((sum) => [sum, 99]));
    // Nor is a volume below 0 taken off what was counted.
    expect(await fees(-50)).toEqual([]);
    // One token in the first row and half of one in the second, 1 + 0.5 × 0.5, or all in the second; they fill 11 packages.
    expect(await fees(1.5)).toEqual([3, 4, 1.25, 0.75, 4].map((sum) => [sum, 1.5]));
  },
);
