import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { keyOf, type ParsedKey, parseKey } from '../store/worlds.ts';
import { type AnyBody, createTestClient, TEST_NOW, type TestClient } from './client.ts';

/** Keys of the modelled worlds: both environments of one sandbox, and one of another. */
export const KEYS = ['key_test_shop', 'key_live_shop', 'key_test_copy'];
const parsed = (key: string): ParsedKey => parseKey(key) as ParsedKey;

interface ModelGeneration {
  readonly world: ModelWorld;
  readonly state: AnyBody;
  /** What a world had that was deleted. */
  readonly deleted?: Pick<ModelWorld, 'origin' | 'snapshots'>;
}

/** What a key keeps by the documented rules. Each state is an export. @assumes A-1406 */
export class ModelWorld {
  /** Undefined while the world is closed. */
  state: AnyBody;
  /** The state in which its sandbox was created; undefined for an empty world. */
  origin: AnyBody;
  snapshots = new Map<string, AnyBody>();

  constructor(private readonly generations: ModelGeneration[]) {}

  /** Begins a generation. The latest ten of all worlds can be returned to. */
  replace(state: AnyBody, deleted?: ModelGeneration['deleted']): void {
    this.generations.push({ world: this, state: this.state, ...(deleted && { deleted }) });
    if (this.generations.length > 10) this.generations.shift();
    this.state = state;
  }

  /** Returns to the generation before; whether there is one. */
  undo(): boolean {
    const place = this.generations.findLastIndex(({ world }) => world === this);
    const [former] = place < 0 ? [] : this.generations.splice(place, 1);
    if (!former) return false;
    this.state = former.state;
    if (former.deleted) {
      this.origin = former.deleted.origin;
      this.snapshots = new Map([...former.deleted.snapshots, ...this.snapshots]);
    }
    return true;
  }

  close(): void {
    const { origin, snapshots } = this;
    this.replace(undefined, { origin, snapshots });
    this.origin = undefined;
    this.snapshots = new Map();
  }
}

/** An emulator, what its worlds must hold, and another emulator, whose worlds import each state anew. */
export class WorldModel {
  /** Of all worlds, oldest first; in memory only. */
  readonly generations: ModelGeneration[] = [];
  readonly #worlds = new Map(KEYS.map((key) => [key, new ModelWorld(this.generations)]));
  readonly fresh = createTestClient();

  constructor(public client: TestClient) {}

  of = (key: string): ModelWorld => this.#worlds.get(key) as ModelWorld;

  ofSandbox = (key: string): readonly ModelWorld[] =>
    KEYS.filter((each) => parsed(each).sandbox === parsed(key).sandbox).map(this.of);

  api: TestClient['api'] = (id, parts, status) => this.client.api(id, parts, status);

  /** The world of a key, which the next request opens. */
  async used(key: string): Promise<ModelWorld> {
    const world = this.of(key);
    world.state ??= await this.expected(key, 'resetWorld', { to: 'empty' });
    return world;
  }

  /** The state of a fresh world after a call. */
  async expected(key: string, id: 'resetWorld' | 'importWorld' | 'advanceClock', body: object) {
    await this.fresh.api(id, { key, body });
    return this.fresh.api('exportWorld', { key });
  }

  async closeFresh(name: string): Promise<void> {
    if (this.fresh.emulator.worlds.isOpen(name))
      await this.fresh.api('deleteSandbox', { query: { name } }, 204);
  }

  /** Sends requests to a world and to a fresh one with the same state. @throws Error if they respond differently */
  async send(key: string, ...requests: readonly Request[]): Promise<void> {
    const world = await this.used(key);
    await this.fresh.api('importWorld', { key, body: world.state });
    for (const [id, parts] of requests) {
      const [there, here] = [
        await this.fresh.send(id, { key, ...parts }),
        await this.client.send(id, { key, ...parts }),
      ];
      same(`${id} of ${key}`, [here.status, here.text], [there.status, there.text]);
    }
    world.state = await this.fresh.api('exportWorld', { key });
  }

  /** Compares which worlds are open with the model, and what those of `keys` hold and list. @throws Error if they differ */
  async check(keys: readonly string[]): Promise<void> {
    const { worlds } = this.client.emulator;
    const open = KEYS.filter((key) => this.of(key).state);
    same('the open worlds', [KEYS.filter((key) => worlds.has(key))], [open]);
    for (const key of open.filter((each) => keys.includes(each))) {
      const state = await this.api('exportWorld', { key });
      same(key, [state], [this.of(key).state]);
      await this.send(key, ...LISTS);
      const { findings } = await this.api('verifyLedger', { key });
      same(`the ledger of ${key}`, findings, []);
    }
  }
}

type Request = Parameters<TestClient['send']>;

const LISTS: readonly Request[] = [
  ['listCustomers', { query: { name: 'ac' } }],
  ['listEvents', { query: { subject: 'chat-1' } }],
  ['listEvents', { query: { has_fees: true } }],
  ['listCustomerStats', {}],
];

function same(what: string, found: unknown[], expected: unknown[]): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`Expected of ${what}: ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`);
}

const nameOf = (n: number) => `s${n % 2}`;
const RESETS: readonly object[] = [{}, { to: 'empty' }, { to: 'fixture', name: 'quickstart' }];

/** Steps on a modelled world. Each is taken in the model and in the emulator, which must respond as the rules require. */
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
    await model.api('advanceClock', { key, body });
    await model.expected(key, 'importWorld', world.state);
    world.replace(await model.expected(key, 'advanceClock', body));
  },

  async reset(model, key, n) {
    const world = await model.used(key);
    const body = RESETS[n % 3] as object;
    await model.api('resetWorld', { key, body });
    const state = await model.expected(key, 'resetWorld', { to: 'empty', ...body });
    world.replace(body === RESETS[0] ? (world.origin ?? state) : state);
  },

  /** A state that was saved in any of the worlds. */
  async import(model, key, n) {
    const body = model.of(KEYS[n % 3] as string).snapshots.get(nameOf(n));
    if (!body) return;
    const world = await model.used(key);
    await model.api('importWorld', { key, body });
    world.replace(await model.expected(key, 'importWorld', body));
  },

  async undo(model, key) {
    const world = await model.used(key);
    await model.api('resetWorld', { key, body: { to: 'previous' } }, world.undo() ? 200 : 404);
  },

  async saveSnapshot(model, key, n) {
    const { snapshots, state } = await model.used(key);
    await model.api('saveSnapshot', { key, body: { name: nameOf(n) } }, 201);
    snapshots.set(nameOf(n), state);
  },

  async restoreSnapshot(model, key, n) {
    const world = await model.used(key);
    const state = world.snapshots.get(nameOf(n));
    const body = { to: 'snapshot', name: nameOf(n) };
    await model.api('resetWorld', { key, body }, state ? 200 : 422);
    if (state) world.replace(state);
  },

  async deleteSnapshot(model, key, n) {
    const { snapshots } = await model.used(key);
    const name = nameOf(n);
    const status = snapshots.delete(name) ? 204 : 404;
    await model.api('deleteSnapshot', { key, path: { name } }, status);
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
    await model.api('createSandbox', call, isOpen ? 409 : state ? 201 : 422);
    if (isOpen || !state) return;
    await model.closeFresh(name);
    await model.expected(source, 'importWorld', state);
    await model.fresh.api('saveSnapshot', { key: source, body: { name: 's0' } }, 201);
    await model.fresh.api('createSandbox', call, 201);
    const world = model.of(key);
    world.origin = world.state = await model.fresh.api('exportWorld', { key });
  },

  async deleteSandbox(model, key) {
    const name = parsed(key).sandbox;
    const open = model.ofSandbox(key).filter(({ state }) => state);
    await model.api('deleteSandbox', { key: ADMIN, query: { name } }, open[0] ? 204 : 404);
    for (const world of open) world.close();
  },
} satisfies Record<string, (model: WorldModel, key: string, n: number) => Promise<void>>;

const ADMIN = 'key_test_admin';

type StepName = keyof typeof WORLD_STEPS;
export type WorldStep = readonly [name: StepName, key: string, n: number];

/** Random steps of all worlds, but for those of some names. */
export function worldSteps(without: readonly StepName[] = []): fc.Arbitrary<WorldStep[]> {
  const names = (Object.keys(WORLD_STEPS) as StepName[]).filter((name) => !without.includes(name));
  const step = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...KEYS), fc.nat(5));
  return fc.array(step, { minLength: 15, maxLength: 30, size: 'max' });
}

export const takeStep = (model: WorldModel, [name, key, n]: WorldStep): Promise<void> =>
  WORLD_STEPS[name](model, key, n);
