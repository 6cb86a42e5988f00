import type { CheckRun } from './check-run.ts';
import { amount } from './exact-json.ts';
import type { LooseParts, OperationId } from './operations.ts';
import { ContractFailure } from './outcome.ts';
import { Rational } from './rational.ts';
import { look } from './target/api.ts';

// biome-ignore lint/suspicious/noExplicitAny: A response, whose shape has been validated.
type AnyBody = any;

/** Reads with the key and the account of the latest write. Returns the body; undefined unless the status is 200. */
type Read = (operation: OperationId, parts: LooseParts) => Promise<AnyBody>;

/** The longest page: a shorter one could leave out what is looked for. */
const WHOLE = { limit: 1000 };
const EVER = { ...WHOLE, period_from: '1970-01-01', period_to: '9999-12-31' };

/**
 * Reads what there is of the customer that a check wrote to last, in lists and details, which must agree. The balance of
 * each account is the sum of its credit, the costs are those of the usage, and the statistics of all time are the
 * customer's.
 *
 * @throws ContractFailure at the first disagreement
 */
export async function closingReads({ latestCustomer }: CheckRun): Promise<void> {
  const { id: customerId, caller } = latestCustomer ?? {};
  if (customerId === undefined) return;
  const path = { customerId };
  const read: Read = (operation, parts) => look(operation, { ...parts, ...caller });
  const customer = await read('getCustomer', { path });
  if (!customer) return;
  await read('listCustomers', { query: { ...WHOLE, customer_id: customerId } });
  const { accounts } = await read('getWallet', { path });
  for (const account of accounts.slice(0, 3)) await readAccount(read, customerId, account);
  await readUsage(read, customerId);
  await readSubscribers(read, customer);
}

/** A customer is listed once among the subscribers of a product to which it has an active subscription. */
async function readSubscribers(read: Read, { id, subscriptions }: AnyBody): Promise<void> {
  const active = subscriptions.findLast(({ status }: AnyBody) => status === 'active');
  if (!active) return;
  const path = { productId: active.products[0].id };
  const { items } = await read('listSubscribers', { path, query: WHOLE });
  const listed = items.filter(({ customer_id }: AnyBody) => customer_id === id).length;
  if (items.length < WHOLE.limit)
    expectEqual('entries among the subscribers', Rational.of(listed), Rational.of(1));
}

async function readAccount(read: Read, customerId: string, account: AnyBody): Promise<void> {
  const path = { customerId, accountId: account.id };
  const alone = await read('getWalletAccount', { path });
  const { items } = await read('listGrants', { path, query: WHOLE });
  const balance = amount(account, 'available');
  expectEqual('available of the account', amount(alone, 'available'), balance);
  const credit = Rational.sum(items.map((grant: AnyBody) => amount(grant, 'available')));
  const wanted = balance.sign > 0 ? balance : Rational.ZERO;
  if (items.length < WHOLE.limit) expectEqual('available of all grants', credit, wanted);
}

async function readUsage(read: Read, customerId: string): Promise<void> {
  const query = { ...WHOLE, customer_id: customerId };
  const { items: events } = await read('listEvents', { query });
  for (const { id } of events.slice(0, 2)) await read('getEvent', { path: { eventId: id } });
  const { items: tasks } = await read('listTasks', { query });
  for (const { id } of tasks.slice(0, 1)) await read('getTask', { path: { taskId: id } });
  const stats = await read('getCustomerStats', { path: { customerId } });
  const costs = events.map((event: AnyBody) => amount(event.stats, 'total_costs'));
  if (events.length < WHOLE.limit)
    expectEqual('total_costs', amount(stats, 'total_costs'), Rational.sum(costs));
  const { items } = await read('listCustomerStats', { query: EVER });
  const listed = items.find(({ id }: AnyBody) => id === customerId);
  for (const name of ['gross_revenue', 'total_costs'])
    if (listed) expectEqual(name, amount(listed.stats, name), amount(stats, name));
}

function expectEqual(name: string, found: Rational, wanted: Rational): void {
  if (found.equals(wanted)) return;
  const difference = `${name}: the service says ${found}, expected ${wanted}`;
  throw new ContractFailure(`At the end of the check, ${difference}`, [difference]);
}
