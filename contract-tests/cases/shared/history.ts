import {
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  now,
  today,
  unique,
  uniqueSubject,
  usageEvent,
  uuid,
} from '../../kit/index.ts';
import { price, submit } from './events.ts';
import { subscribe, to } from './subscriptions.ts';
import { aNewVendor } from './vendors.ts';

/** A customer with three days of usage: prices in two assets, two vendors, two categories, two subjects. */
export async function aHistory() {
  const { code } = await aFreshAsset({ precision: 3, rates: [{ source: 'USD', rate: 0.5 }] });
  const type = `contract.${unique('sides')}`;
  const product = await aFreshProduct({ prices: pricesIn(type, code) });
  const customer = await aFreshCustomer();
  await subscribe(customer, { ...to(product), starts_at: now(-4 * 86_400_000) });
  const vendors = [await aNewVendor(), await aNewVendor()] as const;
  const subjects = [uniqueSubject(), uniqueSubject()] as const;
  const cost = (vendor: number, sum: number, category: string) => ({
    id: uuid(),
    vendor_id: vendors[vendor],
    amount: sum,
    category,
  });
  const at = (day: number, subject: number | undefined, more: object) =>
    usageEvent(type, {
      occurred_at: `${today(day)}T00:00:00.000Z`,
      subject: subject === undefined ? undefined : subjects[subject],
      data: { tokens: 10 },
      ...more,
    });
  const events = [
    at(-2, 0, { costs: [cost(0, 0.01, 'compute'), cost(1, 0.02, 'compute')] }),
    at(-1, 0, { data: {}, costs: [cost(0, 0.04, 'storage')] }),
    at(-1, 1, { event_type: `${type}.unit`, costs: [cost(1, 0.08, 'storage')] }),
    at(0, 1, { costs: [cost(0, 0.16, 'compute'), cost(0, 0.32, 'compute')] }),
    at(0, undefined, { event_type: `${type}.free`, costs: [cost(1, 0.64, 'compute')] }),
  ];
  await submit(customer, ...events);
  return { customer, code, vendors, subjects, ids: events.map(({ id }) => id) };
}

const pricesIn = (type: string, asset: string) => [
  price(type, 'unit', [{ unit_price: 0.7 }]),
  price(type, 'volume', [{ volume_rate: 0.003 }]),
  {
    ...price(`${type}.unit`, 'unit', []),
    pricing: [{ asset, values: [{ unit_price: 3 }] }],
  },
];
