import { ContractFailure } from '../kit/outcome.ts';
import type { AnyBody, WorldCall } from '../kit/target/own-world.ts';
import { act } from './act.ts';
import { type Ids, instant, perform } from './calls.ts';
import { expectedAnswer, expectedState, matches, shown } from './compare.ts';
import { type History, START } from './history.ts';
import { createWorld, type ModelWorld } from './world.ts';

/**
 * Plays a history in a world of its own and in the model. The answer to each step is compared; the state after the last,
 * and after so many steps.
 *
 * @throws ContractFailure at the first difference
 */
export async function playHistory(call: WorldCall, history: History, every = 1): Promise<void> {
  const world = createWorld(history);
  const ids: Ids = { products: [], customers: [], subscriptions: [], own: 0 };
  await call('setClock', { body: { mode: 'frozen', now: instant(START) } });
  await createCatalog(call, history, ids);
  for (const [index, step] of history.steps.entries()) {
    const outcome = act(world, step);
    await call('advanceClock', { body: { to: instant(world.now) } });
    const where = `step ${index} (${step.action.do}) at ${instant(world.now)}`;
    if (outcome.isDone) {
      const found = await perform({ call, ids, world }, step, outcome.subscription);
      compare(`In ${where}`, found, expectedAnswer(outcome, ids));
    }
    if (index % every === every - 1 || index === history.steps.length - 1)
      compare(`After ${where}`, await stateOf(call, ids, world), expectedState(world));
  }
}

function compare(where: string, found: AnyBody, wanted: AnyBody): void {
  const different = Object.keys(wanted).filter((key) => !matches(found[key], wanted[key]));
  if (different.length === 0) return;
  const lines = different.map(
    (key) => `${key}\n  emulator ${shown(found[key])}\n  model    ${shown(wanted[key])}`,
  );
  throw new ContractFailure(`${where}:\n${lines.join('\n')}`);
}

async function createCatalog(call: WorldCall, history: History, ids: Ids): Promise<void> {
  for (const { code, precision, rate } of history.assets) {
    const rates = rate === undefined ? [] : [{ source: 'USD', rate }];
    await call('createAsset', { body: { code, name: code, precision, rates } });
  }
  for (const [index, [first, ...others]] of history.products.entries()) {
    const code = `p${index}`;
    const body = { name: code, code, publish: true, ...first };
    const { id: productId } = await call('createProduct', { body });
    ids.products.push(productId);
    for (const other of others)
      await call('createProductVersion', {
        path: { productId },
        body: { publish: true, ...other },
      });
  }
  for (let index = 0; index < history.customers; index += 1)
    ids.customers.push((await call('createCustomer', { body: { name: `c${index}` } })).id);
}

/** What the emulator answers about every customer. */
async function stateOf(call: WorldCall, ids: Ids, { now }: ModelWorld): Promise<object> {
  const state: AnyBody = {};
  for (const [index, customerId] of ids.customers.entries()) {
    const path = { customerId };
    const { accounts } = await call('getWallet', { path });
    for (const { id: accountId, asset } of accounts)
      state[`c${index} ${asset}`] = await accountState(call, { customerId, accountId }, now);
    state[`c${index} revenue`] = (await call('getCustomerStats', { path })).gross_revenue;
    const { subscriptions } = await call('getCustomer', { path });
    for (const { id, products, ...found } of subscriptions)
      state[`s${ids.subscriptions.indexOf(id)}`] = { ...found, version: products[0].version };
  }
  return state;
}

async function accountState(
  call: WorldCall,
  path: { customerId: string; accountId: string },
  now: number,
): Promise<object> {
  const { available, pending_in } = await call('getWalletAccount', { path });
  const { items } = await call('listGrants', { path, query: { limit: 1000 } });
  const grants = items
    .filter((grant: AnyBody) => grant.available > 0 && Date.parse(grant.effective_at) <= now)
    .map((grant: AnyBody) =>
      JSON.stringify([grant.purpose, grant.available, grant.effective_at, grant.expires_at]),
    );
  return { available, pending_in, grants: grants.sort() };
}
