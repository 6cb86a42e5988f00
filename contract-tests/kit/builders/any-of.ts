import { Untestable } from '../outcome.ts';
import { api, send } from '../target/api.ts';
import { building } from '../target/slots.ts';
import { aUsageEvent } from './movements.ts';
import { aConnectedAccount, aCustomer, anAsset, aVendor } from './objects.ts';
import { aProduct, aSubscriber } from './products.ts';

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
