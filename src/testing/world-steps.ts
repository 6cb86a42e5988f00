import fc from 'fast-check';
import { keyOf } from '../store/worlds.ts';
import { TEST_NOW } from './client.ts';
import { KEYS, parsed, type WorldModel } from './world-model.ts';

const SNAPSHOTS = ['s0', 's1'];
const nameOf = (n: number) => SNAPSHOTS[n % 2] as string;
const RESETS: readonly object[] = [{}, { to: 'empty' }, { to: 'fixture', name: 'quickstart' }];

/** Steps on a modelled world: each is done in the emulator, by the response that the rules demand, and in the model. */
const WORLD_STEPS = {
  createCustomer: (model, key, n) =>
    model.send(key, ['createCustomer', { body: { name: `Ac ${n}`, external_id: `c${n % 4}` } }]),

  async updateCustomer(model, key, n) {
    const { customers = [] } = (await model.used(key)).state.tables;
    const path = { customerId: customers[n % customers.length]?.id ?? 'none' };
    const body = { name: `Place ${n}`, external_id: n % 2 ? `c${n % 4}` : null };
    await model.send(key, ['updateCustomer', { path, body }]);
  },

  async submitEvents(model, key, n) {
    const id = `00000000-0000-4000-8000-00000000010${n}`;
    const data = { model: 'large', tokens: 1_000 * n };
    const event = { id, event_type: 'llm.completion', occurred_at: TEST_NOW, data };
    const events = [{ ...event, subject: `chat-${n % 2}` }];
    await model.send(key, ['submitEvents', { body: { customer_external_id: 'acme', events } }]);
  },

  async advance(model, key, n) {
    const world = await model.used(key);
    const body = { by: `P${1 + 7 * n}D` };
    await model.control('advanceClock', { key, body }, 200);
    await model.expected(key, 'importWorld', world.state);
    world.replace(await model.expected(key, 'advanceClock', body));
  },

  async reset(model, key, n) {
    const world = await model.used(key);
    const body = RESETS[n % 3] as object;
    await model.control('resetWorld', { key, body }, 200);
    const state = await model.expected(key, 'resetWorld', { to: 'empty', ...body });
    world.replace(body === RESETS[0] ? (world.origin ?? state) : state);
  },

  async export(model, key) {
    await model.used(key);
    model.exported = await model.control('exportWorld', { key }, 200);
  },

  async import(model, key) {
    const body = model.exported;
    if (!body) return;
    const world = await model.used(key);
    await model.control('importWorld', { key, body }, 200);
    world.replace(await model.expected(key, 'importWorld', body));
  },

  async undo(model, key) {
    const world = await model.used(key);
    await model.control('resetWorld', { key, body: { to: 'previous' } }, world.undo() ? 200 : 404);
  },

  async saveSnapshot(model, key, n) {
    const { snapshots, state } = await model.used(key);
    await model.control('saveSnapshot', { key, body: { name: nameOf(n) } }, 201);
    snapshots.set(nameOf(n), state);
  },

  async restoreSnapshot(model, key, n) {
    const world = await model.used(key);
    const state = world.snapshots.get(nameOf(n));
    const body = { to: 'snapshot', name: nameOf(n) };
    await model.control('resetWorld', { key, body }, state ? 200 : 422);
    if (state) world.replace(state);
  },

  async deleteSnapshot(model, key, n) {
    const { snapshots } = await model.used(key);
    const name = nameOf(n);
    const status = snapshots.delete(name) ? 204 : 404;
    await model.control('deleteSnapshot', { key, path: { name } }, status);
  },

  /** From the same environment of a sandbox or, if n is odd, from a snapshot. */
  async createSandbox(model, key, n) {
    const { sandbox: name, environment } = parsed(key);
    const other = KEYS[n % 3] as string;
    const { sandbox } = parsed(other);
    const source = n % 2 ? other : keyOf({ sandbox, environment });
    const state = n % 2 ? (await model.used(source)).snapshots.get('s0') : model.of(source)?.state;
    const from = n % 2 ? { snapshot: 's0' } : { sandbox };
    const call = { key: n % 2 ? source : ADMIN, body: { name, environment, ...from } };
    const isOpen = model.ofSandbox(key).some((each) => each.state);
    await model.control('createSandbox', call, isOpen ? 409 : state ? 201 : 422);
    if (isOpen || !state) return;
    await model.closeFresh(name);
    await model.expected(source, 'importWorld', state);
    await model.fresh.control('saveSnapshot', { key: source, body: { name: 's0' } }, 201);
    await model.fresh.control('createSandbox', call, 201);
    const world = model.of(key);
    world.origin = world.state = await model.fresh.control('exportWorld', { key }, 200);
  },

  async deleteSandbox(model, key) {
    const name = parsed(key).sandbox;
    const open = model.ofSandbox(key).filter(({ state }) => state);
    await model.control('deleteSandbox', { key: ADMIN, query: { name } }, open[0] ? 204 : 404);
    for (const world of open) world.close();
  },
} satisfies Record<string, (model: WorldModel, key: string, n: number) => Promise<void>>;

const ADMIN = 'key_test_admin';

type StepName = keyof typeof WORLD_STEPS;
export type WorldStep = readonly [name: StepName, key: string, n: number];

/** Random steps of all worlds, but for those of some names. */
export function worldSteps(
  minLength: number,
  maxLength: number,
  without: readonly StepName[] = [],
): fc.Arbitrary<WorldStep[]> {
  const names = (Object.keys(WORLD_STEPS) as StepName[]).filter((name) => !without.includes(name));
  const step = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...KEYS), fc.nat(5));
  return fc.array(step, { minLength, maxLength, size: 'max' });
}

export async function takeStep(model: WorldModel, [name, key, n]: WorldStep): Promise<void> {
  await WORLD_STEPS[name](model, key, n);
}
