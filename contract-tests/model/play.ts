import { ADDRESSES } from '../kit/addresses.ts';
import { ContractFailure } from '../kit/outcome.ts';
import type { WorldCall } from '../kit/target/own-world.ts';
import { act } from './act.ts';
import type { Aspect, Compared, Stage } from './aspects/aspect.ts';
import { type Ids, instant, perform, remembering, VENDORS } from './calls.ts';
import { differences, expectedAnswer } from './compare.ts';
import { advance } from './due.ts';
import { type CustomerSketch, type History, LONG_CODE, START, type Step } from './history.ts';
import type { LogEvent } from './hooks.ts';
import { subscribe } from './moves.ts';
import { subscriptionOf } from './views.ts';
import { defaultForSale, ModelWorld } from './world.ts';

export interface Extent {
  /** Also compare after each such number of steps. Always compares after the last step. */
  readonly every?: number;
  /** Whether to play the history in a connected account as well, with the same codes and separate ids. */
  readonly isTwofold?: boolean;
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
  { every = Number.POSITIVE_INFINITY, isTwofold = false }: Extent = {},
): Promise<void> {
  await call('setClock', { body: { mode: 'frozen', now: instant(START) } });
  const stages = [await open(call, history)];
  if (isTwofold) {
    const [platform] = stages as [Stage];
    const connected = await openConnected(platform);
    stages.splice(0, 1, { ...platform, connected }, connected);
  }
  for (const [index, step] of history.steps.entries()) {
    const now = latest(stages) + step.after;
    await call('advanceClock', { body: { to: instant(now) } });
    advanceAll(stages, now);
    const where = `step ${index} (${step.action.do}) at ${instant(now)}`;
    for (const stage of stages) await take(stage, step, now, where);
    if (index % every !== every - 1 && index !== history.steps.length - 1) continue;
    for (const stage of stages)
      for (const aspect of aspects) {
        advanceAll(stages, latest(stages));
        const all: Compared[] = [];
        for await (const each of aspect(stage)) all.push(each);
        compare(`After ${where}`, all, stage.world.slack);
      }
  }
}

/** Moves all worlds forward. Sorts new events in the platform's log by time, then by subscription. */
function advanceAll(stages: readonly Stage[], now: number): void {
  const log = stages[0]?.world.log ?? [];
  const before = log.length;
  for (const { world } of stages) advance(world, now);
  const place = ({ data }: LogEvent) => (data as { readonly subscription: number }).subscription;
  const due = log.splice(before);
  log.push(...due.sort((one, other) => one.at - other.at || place(one) - place(other)));
}

/** The latest instant of all worlds, because aspects can move the clock. */
const latest = (stages: readonly Stage[]) => Math.max(...stages.map(({ world }) => world.now));

async function take(stage: Stage, step: Step, now: number, where: string): Promise<void> {
  const { world, call, ids } = stage;
  const outcome = act(world, step, now);
  if (!outcome.isDone) return;
  const found = await perform({ ...stage, call: remembering(call, ids.sent) }, step, outcome);
  const wanted = Object.entries(expectedAnswer(outcome, step, stage));
  compare(
    `In ${where}`,
    wanted.map(([name, each]) => [name, found[name], each]),
    world.slack,
  );
}

async function open(call: WorldCall, history: History, platform?: Stage): Promise<Stage> {
  const world = new ModelWorld(history, platform?.world);
  const stage = { call, world, ids: await createCatalog(call, history) };
  for (const each of history.customers) await createCustomer(stage, each);
  const body = { customer_id: stage.ids.customers[0], ...ADDRESSES };
  stage.ids.origin = new URL((await call('createPortalSession', { body })).redirect_url).origin;
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

/** Opens a connected account with the same history, except for the decimal places of one asset. */
async function openConnected(platform: Stage): Promise<Stage> {
  const { call, world, ids } = platform;
  const body = { name: 'Beside', external_id: 'x', metadata: { k: 'v' } };
  const { id: actingFor } = await call('createConnectedAccount', { body });
  ids.accounts.push(actingFor);
  const { history } = world;
  const assets = history.assets.map(({ precision, ...asset }) => ({
    ...asset,
    precision: asset.code === LONG_CODE ? 10 - precision : precision,
  }));
  const callFor: WorldCall = (operation, parts, statuses) =>
    call(operation, { ...parts, actingFor }, statuses);
  return open(callFor, { ...history, assets }, platform);
}

function compare(where: string, all: readonly Compared[], slack: number): void {
  const lines = all.flatMap(([name, found, wanted]) => differences(name, found, wanted, slack));
  if (lines.length > 0) throw new ContractFailure(`${where}:\n${lines.join('\n')}`);
}

async function createCatalog(call: WorldCall, history: History): Promise<Ids> {
  const ids: Ids = {
    ...{ accounts: [], products: [], customers: [], subscriptions: [], vendors: [], hooks: [] },
    origin: '',
    ...{ events: [], transactions: [], topUps: [], sent: [], own: 0 },
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
