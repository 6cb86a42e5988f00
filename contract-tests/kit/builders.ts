import type { CallParts } from './operations.ts';
import { Untestable } from './outcome.ts';
import type { CheckContext } from './run-check.ts';
import { api, call, send } from './target/api.ts';
import { now, runMark, unique, uniqueAssetCode, uniqueSubject, uuid } from './target/names.ts';
import { currentSession } from './target/session.ts';
import { adoptOrMake, building, usesSlots, useUp } from './target/slots.ts';

/** Things a check stands on. Each is the suite's own: new on an emulator of ours, adopted elsewhere. */

type BodyOf<Id extends Parameters<typeof api>[0]> = NonNullable<CallParts<Id>['body']>;

export interface OwnCustomer {
  readonly id: string;
  readonly external_id: string;
  readonly name: string;
}

/** A customer of the suite. Elsewhere there are two, `main` and `other`, with what earlier runs left. */
export function aCustomer(slot: 'main' | 'other' = 'main'): Promise<OwnCustomer> {
  const key = usesSlots() ? `contract-${slot}` : unique('customer');
  return adoptOrMake({
    name: `customer ${slot}`,
    async find() {
      const { status, headers, body } = await send('listCustomers', {
        query: { external_id: key },
      });
      const id =
        status === 303 ? String(headers['location']).split('/').at(-1) : body?.items?.[0]?.id;
      return id ? { id, external_id: key, name: `Contract ${slot}` } : undefined;
    },
    make: () => makeCustomer({ name: `Contract ${slot}`, external_id: key, metadata: runMark() }),
  });
}

/** A customer without a past, made for this check alone; used up by it. */
export function aFreshCustomer(body: Partial<BodyOf<'createCustomer'>> = {}): Promise<OwnCustomer> {
  const external_id = unique('customer');
  const whole = { name: 'Contract fresh', external_id, metadata: runMark(), ...body };
  return building('customer', () => useUp('customer', () => makeCustomer(whole)));
}

async function makeCustomer(body: BodyOf<'createCustomer'>): Promise<OwnCustomer> {
  const { id } = await api('createCustomer', { body }, 201);
  return { id, name: body.name, external_id: body.external_id as string };
}

export interface OwnAccount {
  readonly id: string;
  readonly external_id: string;
  readonly name: string;
}

/** A connected account of the suite. */
export function aConnectedAccount(): Promise<OwnAccount> {
  const external_id = usesSlots() ? 'contract-main' : unique('account');
  const name = 'Contract account';
  return adoptOrMake({
    name: 'connected account',
    async find() {
      const { items } = await api('listConnectedAccounts', { query: { external_id } }, 200);
      const found = items.find((account) => account.external_id === external_id);
      return found && { id: found.id, external_id, name: found.name };
    },
    async make() {
      const body = { name, external_id, metadata: runMark() };
      return { ...(await api('createConnectedAccount', { body }, 201)), external_id, name };
    },
  });
}

/** A connected account made for this check alone; used up by it. */
export function aFreshAccount(
  body: Partial<BodyOf<'createConnectedAccount'>> = {},
): Promise<{ readonly id: string }> {
  const whole = { name: 'Contract account', metadata: runMark(), ...body };
  return building('connected account', () =>
    useUp('connected account', () => api('createConnectedAccount', { body: whole }, 201)),
  );
}

export interface OwnVendor {
  readonly id: string;
  readonly external_id: string;
  readonly name: string;
}

/** A vendor of the suite. */
export function aVendor(): Promise<OwnVendor> {
  const external_id = usesSlots() ? 'contract-main' : unique('vendor');
  const name = 'Contract vendor';
  return adoptOrMake({
    name: 'vendor',
    async find() {
      const { body } = await send('listVendors', { query: { external_id } });
      const id = body?.items?.[0]?.id;
      return id ? { id, external_id, name } : undefined;
    },
    async make() {
      const { id } = await api('createVendor', { body: { name, external_id } }, 201);
      return { id, external_id, name };
    },
  });
}

export interface OwnAsset {
  readonly code: string;
  readonly name: string;
  readonly precision: number;
}

/** A custom asset of the suite: two decimals, 0.5 USD each. */
export function anAsset(): Promise<OwnAsset> {
  const code = usesSlots() ? 'CTMAIN' : uniqueAssetCode();
  return adoptOrMake({
    name: 'asset',
    async find() {
      const { status, body } = await send('getAsset', { path: { assetCode: code } });
      return status === 200 ? { code, name: body.name, precision: body.precision ?? 0 } : undefined;
    },
    make: () =>
      makeAsset({
        code,
        name: 'Contract units',
        precision: 2,
        rates: [{ source: 'USD', rate: 0.5 }],
      }),
  });
}

/** An asset made for this check alone; used up by it. */
export function aFreshAsset(body: Partial<BodyOf<'createAsset'>> = {}): Promise<OwnAsset> {
  const code = uniqueAssetCode();
  const whole = { code, name: 'Contract units', ...body };
  return building('asset', () => useUp('asset', () => makeAsset(whole)));
}

async function makeAsset(body: BodyOf<'createAsset'>): Promise<OwnAsset> {
  await api('createAsset', { body }, 201);
  return { code: body.code, name: body.name, precision: body.precision ?? 0 };
}

export interface OwnProduct {
  readonly id: string;
  readonly code: string;
  readonly version: number;
  /** Event type that its price counts; empty without a usage price. */
  readonly eventType: string;
}

/** Price of one event of a product of the suite, in USD. */
export const UNIT_PRICE = '0.25';

/** A price per event, as products of the suite have it. */
export function aUnitPrice(eventType: string, unit_price = Number(UNIT_PRICE)): object {
  return {
    name: 'Calls',
    type: 'usage_based',
    billing_model: { type: 'real_time' },
    usage_calculation: { event_type: eventType, usage_type: 'unit' },
    pricing: [{ asset: 'USD', values: [{ unit_price }] }],
  };
}

/** A price per month, which asks for a payment. */
export function aFixedPrice(unit_price = 5): object {
  return {
    name: 'Monthly',
    type: 'fixed',
    billing_model: { type: 'recurring', recurring: { interval: 'month' } },
    pricing: [{ asset: 'USD', values: [{ unit_price }] }],
  };
}

/** A published product of the suite: `usage` costs 0.25 USD an event, `fixed` 5 USD a month. */
export function aProduct(slot: 'usage' | 'fixed' = 'usage'): Promise<OwnProduct> {
  const code = usesSlots() ? `contract-${slot}` : unique(slot);
  const eventType = slot === 'usage' ? `contract.call.${code}` : '';
  const prices = slot === 'usage' ? [aUnitPrice(eventType)] : [aFixedPrice()];
  return adoptOrMake({
    name: `product ${slot}`,
    async find() {
      const { body } = await send('listProducts', { query: { code } });
      const found = body?.items?.find((product: { code: string }) => product.code === code);
      return found && { id: found.id, code, version: found.default_version ?? 1, eventType };
    },
    make: () => makeProduct({ name: `Contract ${slot}`, code, prices, publish: true }, eventType),
  });
}

/** A published product made for this check alone, with prices of its own; used up by it. */
export function aFreshProduct(body: object = {}): Promise<OwnProduct> {
  const code = unique('product');
  const eventType = `contract.call.${code}`;
  const whole = { name: 'Contract fresh', code, prices: [aUnitPrice(eventType)], publish: true };
  return building('product', () =>
    useUp('product', () => makeProduct({ ...whole, ...body }, eventType)),
  );
}

/** An unpublished product, deleted after the check. */
export async function aDraftProduct(t: CheckContext, body: object = {}): Promise<OwnProduct> {
  const code = unique('draft');
  const eventType = `contract.call.${code}`;
  const whole = { name: 'Contract draft', code, prices: [aUnitPrice(eventType)], ...body };
  const product = await building('draft product', () => makeProduct(whole, eventType));
  t.afterwards(() => removed('deleteProduct', { productId: product.id }, product.id));
  return product;
}

async function makeProduct(body: object, eventType: string): Promise<OwnProduct> {
  const { id, code, version } = await api('createProduct', { body: body as never }, 201);
  return { id, code, version, eventType };
}

export interface OwnSubscription {
  readonly id: string;
  readonly status: string;
}

/** Subscribes a customer to a usage product; elsewhere an active subscription is taken as it stands. */
export function aSubscription(
  customer: OwnCustomer,
  product: OwnProduct,
): Promise<OwnSubscription> {
  return adoptOrMake<OwnSubscription>({
    name: `subscription of ${customer.external_id} to ${product.code}`,
    async find() {
      const path = { customerId: customer.id };
      const { subscriptions = [] } = await api('getCustomer', { path }, 200);
      return subscriptions.find(
        ({ status, products }) =>
          status === 'active' && products.some(({ id }) => id === product.id),
      );
    },
    make: () =>
      api(
        'createSubscription',
        { path: { customerId: customer.id }, body: { products: [{ id: product.id }] } },
        201,
      ),
  });
}

/** A customer with an active subscription to the usage product. */
export async function aSubscriber(): Promise<{
  readonly customer: OwnCustomer;
  readonly product: OwnProduct;
  readonly subscription: OwnSubscription;
}> {
  const customer = await aCustomer();
  const product = await aProduct('usage');
  return { customer, product, subscription: await aSubscription(customer, product) };
}

/** A usage event as it is submitted: a new id, now, a subject of the run. */
export function usageEvent(
  event_type: string,
  changes: object = {},
): { readonly id: string; readonly subject: string } {
  return {
    id: uuid(),
    event_type,
    occurred_at: now(),
    subject: uniqueSubject(),
    ...changes,
  } as never;
}

/** Submits one usage event for a customer; answers its id and subject. */
export function aUsageEvent(
  customer: OwnCustomer,
  event_type: string,
  changes: object = {},
): Promise<{ readonly id: string; readonly subject: string }> {
  const event = usageEvent(event_type, changes);
  return building('usage event', async () => {
    await api(
      'submitEvents',
      { body: { customer_id: customer.id, events: [event] as never } },
      204,
    );
    return event;
  });
}

/** Gives a customer credit, or takes it; answers the transaction id. */
export function anAdjustment(
  customer: OwnCustomer,
  changes: Partial<BodyOf<'adjustWallet'>> = {},
): Promise<string> {
  const body = { ...adjustment(), ...changes };
  return building('adjustment', async () => {
    await api('adjustWallet', { path: { customerId: customer.id }, body }, 201);
    return body.transaction_id;
  });
}

/** An adjustment as it is sent: a new transaction id, 10 USD. */
export function adjustment(changes: Partial<BodyOf<'adjustWallet'>> = {}): BodyOf<'adjustWallet'> {
  const whole = {
    transaction_id: uuid(),
    asset: 'USD',
    amount: 10,
    reason: 'external_topup',
  } as const;
  return { ...whole, metadata: runMark(), ...changes };
}

export interface OwnWebhook {
  readonly id: string;
  readonly secret: string;
  readonly url: string;
}

/** A destination that cannot be reached, for what the log alone can tell. */
export function blackHole(): string {
  return `https://${unique('hole')}.invalid/${unique('hook')}`;
}

/** A destination of webhooks, deleted after the check. */
export async function aWebhook(
  t: CheckContext,
  body: Partial<BodyOf<'createWebhook'>> = {},
): Promise<OwnWebhook> {
  const url = body.url ?? blackHole();
  const made = await building('webhook destination', () =>
    api('createWebhook', { body: { ...body, url } }, 201),
  );
  currentSession().redactor.learn(made.secret);
  t.afterwards(() => removed('deleteWebhook', { webhookId: made.id }, made.id));
  return { id: made.id, secret: made.secret, url };
}

/** Deletes what the check made; gone already is as good. */
async function removed(
  operation: 'deleteWebhook' | 'deleteProduct',
  path: Readonly<Record<string, string>>,
  id: string,
): Promise<void> {
  await call(operation, { path }, [204, 404, 400, 422]);
  currentSession().created.remove(id);
}

const LISTS = {
  customer: ['listCustomers', 'id'],
  account: ['listConnectedAccounts', 'id'],
  asset: ['listAssets', 'code'],
  product: ['listProducts', 'id'],
  vendor: ['listVendors', 'id'],
  event: ['listEvents', 'id'],
  task: ['listTasks', 'id'],
  webhook: ['listWebhooks', 'id'],
} as const;

const MAKERS: Partial<Record<keyof typeof LISTS, () => Promise<string>>> = {
  customer: async () => (await aCustomer()).id,
  account: async () => (await aConnectedAccount()).id,
  asset: async () => (await anAsset()).code,
  product: async () => (await aProduct()).id,
  vendor: async () => (await aVendor()).id,
  event: anOwnEvent,
  task: async () => {
    const id = await anOwnEvent();
    const { customer_id, subject } = await api('getEvent', { path: { eventId: id } }, 200);
    return `${customer_id}:${subject}`;
  },
};

async function anOwnEvent(): Promise<string> {
  const { customer, product } = await aSubscriber();
  return (await aUsageEvent(customer, product.eventType)).id;
}

/**
 * The id of anything of a kind, only to be read: whatever the account holds, else one of the suite.
 *
 * @throws Untestable when there is none and making one would exceed the ceiling
 */
export function anyOf(kind: keyof typeof LISTS): Promise<string> {
  return building(kind, async () => {
    const [operation, field] = LISTS[kind];
    const query = operation === 'listWebhooks' ? {} : { limit: 1 };
    const { body } = await send(operation, { query });
    const found = body?.items?.[0]?.[field];
    if (typeof found === 'string') return found;
    const make = MAKERS[kind];
    if (!make) throw new Untestable(`needs a ${kind}; the account has none`);
    return make();
  });
}
