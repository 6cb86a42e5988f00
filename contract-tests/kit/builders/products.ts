import type { CheckContext } from '../run-check.ts';
import { api } from '../target/api.ts';
import { building, shared } from '../target/building.ts';
import { unique } from '../target/names.ts';
import { aCustomer, type OwnObject, removed } from './objects.ts';

export interface OwnProduct {
  readonly id: string;
  readonly code: string;
  readonly version: number;
  /** The event type that its price counts; empty without a usage price. */
  readonly eventType: string;
}

/** The price of one event of the suite's products, in USD. */
const UNIT_PRICE = '0.25';

/** A price per event, as in the suite's products. */
export function aUnitPrice(eventType: string, unit_price = Number(UNIT_PRICE)): object {
  return {
    name: 'Calls',
    type: 'usage_based',
    billing_model: { type: 'real_time' },
    usage_calculation: { event_type: eventType, usage_type: 'unit' },
    pricing: [{ asset: 'USD', values: [{ unit_price }] }],
  };
}

/** A price per month, which requires a payment. */
export function aFixedPrice(unit_price = 5): object {
  return {
    name: 'Monthly',
    type: 'fixed',
    billing_model: { type: 'recurring', recurring: { interval: 'month' } },
    pricing: [{ asset: 'USD', values: [{ unit_price }] }],
  };
}

/** A published product that checks can share: `usage` costs 0.25 USD per event, `fixed` 5 USD per month. */
export function aProduct(slot: 'usage' | 'fixed' = 'usage'): Promise<OwnProduct> {
  const code = unique(slot);
  const eventType = slot === 'usage' ? `contract.call.${code}` : '';
  const prices = slot === 'usage' ? [aUnitPrice(eventType)] : [aFixedPrice()];
  const body = { name: `Contract ${slot}`, code, prices, publish: true };
  return shared(`product ${slot}`, () => makeProduct(body, eventType));
}

/** A new published product for one check only. */
export function aFreshProduct(body: object = {}): Promise<OwnProduct> {
  const code = unique('product');
  const eventType = `contract.call.${code}`;
  const whole = { name: 'Contract fresh', code, prices: [aUnitPrice(eventType)], publish: true };
  return building('product', () => makeProduct({ ...whole, ...body }, eventType));
}

/** An unpublished product, deleted after the check. */
export async function aDraftProduct(t: CheckContext, body: object = {}): Promise<OwnProduct> {
  const code = unique('draft');
  const eventType = `contract.call.${code}`;
  const whole = { name: 'Contract draft', code, prices: [aUnitPrice(eventType)], ...body };
  const product = await building('draft product', () => makeProduct(whole, eventType));
  t.afterwards(() => removed('deleteProduct', product.id));
  return product;
}

async function makeProduct(body: object, eventType: string): Promise<OwnProduct> {
  const { id, code, version } = await api('createProduct', { body: body as never }, 201);
  return { id, code, version, eventType };
}

/** A customer with an active subscription to the usage product. */
export async function aSubscriber(): Promise<{
  readonly customer: OwnObject;
  readonly product: OwnProduct;
  readonly subscription: { readonly id: string };
}> {
  const customer = await aCustomer();
  const product = await aProduct('usage');
  const parts = { path: { customerId: customer.id }, body: { products: [{ id: product.id }] } };
  const subscription = await shared('subscription', () => api('createSubscription', parts, 201));
  return { customer, product, subscription };
}
