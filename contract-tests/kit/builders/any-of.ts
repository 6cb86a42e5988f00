import type { OperationId } from '../operations.ts';
import { Untestable } from '../outcome.ts';
import { api, send } from '../target/api.ts';
import { building } from '../target/slots.ts';
import { aUsageEvent } from './movements.ts';
import { aConnectedAccount, aCustomer, anAsset, aVendor } from './objects.ts';
import { aProduct, aSubscriber } from './products.ts';

interface Kind {
  readonly list: OperationId;
  /** The field that identifies an item; `id` by default. */
  readonly field?: string;
  readonly make?: () => Promise<string>;
}

const KINDS = {
  customer: { list: 'listCustomers', make: async () => (await aCustomer()).id },
  account: { list: 'listConnectedAccounts', make: async () => (await aConnectedAccount()).id },
  asset: { list: 'listAssets', field: 'code', make: async () => (await anAsset()).code },
  product: { list: 'listProducts', make: async () => (await aProduct()).id },
  vendor: { list: 'listVendors', make: async () => (await aVendor()).id },
  event: { list: 'listEvents', make: anOwnEvent },
  task: { list: 'listTasks', make: anOwnTask },
  webhook: { list: 'listWebhooks' },
} satisfies Readonly<Record<string, Kind>>;

async function anOwnEvent(): Promise<string> {
  const { customer, product } = await aSubscriber();
  return (await aUsageEvent(customer, product.eventType)).id;
}

async function anOwnTask(): Promise<string> {
  const eventId = await anOwnEvent();
  const { customer_id, subject } = await api('getEvent', { path: { eventId } }, 200);
  return `${customer_id}:${subject}`;
}

/**
 * The id of any object of a kind, for reading only: the first that the account has, otherwise a new one.
 *
 * @throws Untestable when there is none and making one would exceed the ceiling
 */
export function anyOf(kind: keyof typeof KINDS): Promise<string> {
  return building(kind, async () => {
    const { list, field = 'id', make }: Kind = KINDS[kind];
    const query = list === 'listWebhooks' ? {} : { limit: 1 };
    const { body } = await send(list, { query });
    const found = body?.items?.[0]?.[field];
    if (typeof found === 'string') return found;
    if (!make) throw new Untestable(`needs a ${kind}; the account has none`);
    return make();
  });
}
