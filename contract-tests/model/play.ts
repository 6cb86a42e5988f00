import { ADDRESSES } from '../kit/addresses.ts';
import { ContractFailure } from '../kit/outcome.ts';
import type { WorldCall } from '../kit/target/own-world.ts';
import { act } from './act.ts';
import type { Aspect, Compared, Stage } from './aspects/aspect.ts';
import { type Ids, instant, perform, remembering, VENDORS } from './calls.ts';
import { differences, expectedAnswer } from './compare.ts';
import { type History, START } from './history.ts';
import { createWorld } from './world.ts';

/** How far a history is compared. */
export interface Extent {
  /** After how many steps, beside after the last. */
  readonly every?: number;
  /** Whether a connected account goes through the same beside the platform, with the same codes and ids of its own. */
  readonly isTwofold?: boolean;
}

/**
 * Plays a history in a world of its own and in the model. The answer to each step is compared; each aspect after the last
 * step, and after every so many.
 *
 * @throws ContractFailure at the first difference
 */
export async function playHistory(
  call: WorldCall,
  history: History,
  aspects: readonly Aspect[],
  { every = Number.POSITIVE_INFINITY, isTwofold = false }: Extent = {},
): Promise<void> {
  const world = createWorld(history);
  await call('setClock', { body: { mode: 'frozen', now: instant(START) } });
  const stages: Stage[] = [];
  for (const each of isTwofold ? [call, await aConnectedCall(call)] : [call])
    stages.push({ world, call: each, ids: await createCatalog(each, history) });
  for (const [index, step] of history.steps.entries()) {
    const outcome = act(world, step);
    await call('advanceClock', { body: { to: instant(world.now) } });
    const where = `step ${index} (${step.action.do}) at ${instant(world.now)}`;
    for (const stage of outcome.isDone ? stages : []) {
      const kept = { ...stage, call: remembering(stage.call, stage.ids.sent) };
      const found = await perform(kept, step, outcome);
      const wanted = Object.entries(expectedAnswer(outcome, step, stage));
      compare(
        `In ${where}`,
        wanted.map(([name, each]) => [name, found[name], each]),
        world.slack,
      );
    }
    if (index % every !== every - 1 && index !== history.steps.length - 1) continue;
    for (const stage of stages)
      for (const aspect of aspects) {
        const all: Compared[] = [];
        for await (const each of aspect(stage)) all.push(each);
        compare(`After ${where}`, all, world.slack);
      }
  }
}

/** Calls for a connected account of the world. */
async function aConnectedCall(call: WorldCall): Promise<WorldCall> {
  const { id: actingFor } = await call('createConnectedAccount', { body: { name: 'Beside' } });
  return (operation, parts, statuses) => call(operation, { ...parts, actingFor }, statuses);
}

function compare(where: string, all: readonly Compared[], slack: number): void {
  const lines = all.flatMap(([name, found, wanted]) => differences(name, found, wanted, slack));
  if (lines.length > 0) throw new ContractFailure(`${where}:\n${lines.join('\n')}`);
}

async function createCatalog(call: WorldCall, history: History): Promise<Ids> {
  const ids: Ids = {
    ...{ products: [], customers: [], subscriptions: [], vendors: [], hooks: [], origin: '' },
    ...{ events: [], transactions: [], topUps: [], sent: [], own: 0 },
  };
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
  for (const body of history.customers)
    ids.customers.push((await call('createCustomer', { body })).id);
  const body = { customer_id: ids.customers[0], ...ADDRESSES };
  ids.origin = new URL((await call('createPortalSession', { body })).redirect_url).origin;
  for (const external_id of VENDORS)
    ids.vendors.push((await call('createVendor', { body: { name: 'Vendor', external_id } })).id);
  return ids;
}
