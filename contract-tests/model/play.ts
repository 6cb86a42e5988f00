import { ADDRESSES } from '../kit/addresses.ts';
import { ContractFailure } from '../kit/outcome.ts';
import type { WorldCall } from '../kit/target/own-world.ts';
import { act } from './act.ts';
import type { Aspect, Compared, Stage } from './aspects/aspect.ts';
import { type Ids, instant, perform, VENDORS } from './calls.ts';
import { differences, expectedAnswer } from './compare.ts';
import { advance } from './due.ts';
import { type CustomerSketch, type History, START, type Step } from './history.ts';
import { subscribe } from './moves.ts';
import { subscriptionOf } from './views.ts';
import { defaultForSale, ModelWorld } from './world.ts';

export interface Extent {
  /** Also compare after each such number of steps. Always compares after the last step. */
  readonly every?: number;
}

/**
 * Plays a history in a new world and in the model. Compares the response to each step, and every aspect after the last
 * step and after every `every` steps.
 *
 * @throws ContractFailure at the first difference
 */
export async function playHistory(
  call: WorldCall,
  history: History,
  aspects: readonly Aspect[],
  { every = Number.POSITIVE_INFINITY }: Extent = {},
): Promise<void> {
  await call('setClock', { body: { mode: 'frozen', now: instant(START) } });
  const stage = await open(call, history);
  const { world } = stage;
  for (const [index, step] of history.steps.entries()) {
    const now = world.now + step.after;
    await call('advanceClock', { body: { to: instant(now) } });
    advance(world, now);
    const where = `step ${index} (${step.action.do}) at ${instant(now)}`;
    await take(stage, step, now, where);
    if (index % every !== every - 1 && index !== history.steps.length - 1) continue;
    for (const aspect of aspects) {
      advance(world, world.now);
      const all: Compared[] = [];
      for await (const each of aspect(stage)) all.push(each);
      compare(`After ${where}`, all, world.slack);
    }
  }
}

async function take(stage: Stage, step: Step, now: number, where: string): Promise<void> {
  const { world } = stage;
  const outcome = act(world, step, now);
  if (!outcome.isDone) return;
  const found = await perform(stage, step, outcome);
  const wanted = Object.entries(expectedAnswer(outcome, step, stage));
  compare(
    `In ${where}`,
    wanted.map(([name, each]) => [name, found[name], each]),
    world.slack,
  );
}

async function open(call: WorldCall, history: History): Promise<Stage> {
  const world = new ModelWorld(history);
  const stage = { call, world, ids: await createCatalog(call, history) };
  for (const each of history.customers) await createCustomer(stage, each);
  return stage;
}

async function createCustomer({ call, world, ids }: Stage, given: CustomerSketch): Promise<void> {
  const { subscriptions = [], ...customer } = given;
  const forSale = subscriptions.filter(
    ({ product }) => defaultForSale(world, product) !== undefined,
  );
  const own = forSale.map(({ product, starts = 0 }) => {
    const version = defaultForSale(world, product) as number;
    return subscribe(world, { customer: ids.customers.length, product, version }, starts);
  });
  const asked = forSale.map(({ product, starts }) => ({
    products: [{ id: ids.products[product] }],
    ...ADDRESSES,
    ...(starts && { starts_at: instant(world.now + starts) }),
  }));
  const body = { ...customer, ...(asked.length > 0 && { subscriptions: asked }) };
  const created = await call('createCustomer', { body });
  ids.customers.push(created.id);
  for (const { id } of created.subscriptions) ids.subscriptions.push(id);
  const wanted = own.map((each) => subscriptionOf(each, ids));
  compare('At first', [[customer.name, created.subscriptions, wanted]], world.slack);
}

function compare(where: string, all: readonly Compared[], slack: number): void {
  const lines = all.flatMap(([name, found, wanted]) => differences(name, found, wanted, slack));
  if (lines.length > 0) throw new ContractFailure(`${where}:\n${lines.join('\n')}`);
}

async function createCatalog(call: WorldCall, history: History): Promise<Ids> {
  const ids: Ids = {
    ...{ products: [], customers: [], subscriptions: [], vendors: [] },
    ...{ events: [], transactions: [], topUps: [], own: 0 },
  };
  for (const { code, precision, rate } of history.assets) {
    const rates = rate === undefined ? [] : [{ source: 'USD', rate }];
    await call('createAsset', { body: { code, name: code, precision, rates } });
  }
  for (const [index, versions] of history.products.entries()) {
    const code = `p${index}`;
    const [first, ...others] = versions.map(({ draft, ...content }) => ({
      publish: draft === undefined,
      ...(draft ?? content),
    }));
    const body = { name: code, code, ...first };
    const { id: productId } = await call('createProduct', { body });
    ids.products.push(productId);
    for (const other of others)
      await call('createProductVersion', { path: { productId }, body: other });
  }
  for (const external_id of VENDORS)
    ids.vendors.push((await call('createVendor', { body: { name: 'Vendor', external_id } })).id);
  return ids;
}
