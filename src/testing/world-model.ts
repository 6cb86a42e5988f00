import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '../spec/operations.ts';
import { type ParsedKey, parseKey } from '../store/worlds.ts';
import { type AnyBody, createTestClient, type TestCallParts, type TestClient } from './client.ts';

/** Keys of the modelled worlds: both environments of one sandbox, and one of another. */
export const KEYS = ['key_test_shop', 'key_live_shop', 'key_test_copy'];
export const parsed = (key: string): ParsedKey => parseKey(key) as ParsedKey;

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
  /** What each fresh world holds. */
  readonly #imported = new Map<string, AnyBody>();
  exported: AnyBody;

  constructor(public client: TestClient) {}

  of = (key: string): ModelWorld => this.#worlds.get(key) as ModelWorld;

  ofSandbox = (key: string): readonly ModelWorld[] =>
    KEYS.filter((each) => parsed(each).sandbox === parsed(key).sandbox).map(this.of);

  control: TestClient['control'] = (id, parts, status) => this.client.control(id, parts, status);

  /** The world of a key, which the next request opens. */
  async used(key: string): Promise<ModelWorld> {
    const world = this.of(key);
    world.state ??= await this.expected(key, 'resetWorld', { to: 'empty' });
    return world;
  }

  /** The state of a fresh world after a call. */
  async expected(key: string, id: 'resetWorld' | 'importWorld' | 'advanceClock', body: object) {
    await this.fresh.control(id, { key, body }, 200);
    const state = await this.fresh.control('exportWorld', { key }, 200);
    this.#imported.set(key, state);
    return state;
  }

  async closeFresh(name: string): Promise<void> {
    if (!this.fresh.emulator.worlds.isOpen(name)) return;
    await this.fresh.control('deleteSandbox', { query: { name } }, 204);
    this.#imported.clear();
  }

  /** Sends requests to a world and to a fresh one with the same state. @throws Error if they respond differently */
  async send(key: string, ...requests: readonly Request[]): Promise<void> {
    const world = await this.used(key);
    if (this.#imported.get(key) !== world.state)
      await this.fresh.control('importWorld', { key, body: world.state }, 200);
    for (const [id, parts] of requests) {
      const [there, here] = [
        await this.fresh.send(id, { key, ...parts }),
        await this.client.send(id, { key, ...parts }),
      ];
      same(`${id} of ${key}`, [here.status, here.text], [there.status, there.text]);
    }
    world.state = await this.fresh.control('exportWorld', { key }, 200);
    this.#imported.set(key, world.state);
  }

  /** Compares which worlds are open with the model, and what those of `keys` hold and list. @throws Error if they differ */
  async check(keys: readonly string[]): Promise<void> {
    const { worlds } = this.client.emulator;
    const open = KEYS.filter((key) => this.of(key).state);
    same('the open worlds', [KEYS.filter((key) => worlds.has(key))], [open]);
    for (const key of open.filter((each) => keys.includes(each))) {
      const state = await this.control('exportWorld', { key }, 200);
      same(key, [state], [this.of(key).state]);
      await this.send(key, ...LISTS);
      const { findings } = await this.control('verifyLedger', { key }, 200);
      same(`the ledger of ${key}`, findings, []);
    }
  }
}

type Request = readonly [id: OperationId, parts: TestCallParts];

const LISTS: readonly Request[] = [
  ['listCustomers', { query: { name: 'ac' } }],
  ['listEvents', { query: { subject: 'chat-1' } }],
  ['listEvents', { query: { has_fees: true } }],
  ['listCustomerStats', {}],
];

function same(what: string, found: unknown[], expected: unknown[]): void {
  if (isDeepStrictEqual(found, expected)) return;
  const [shown, wanted] = [found, expected].map((each) => JSON.stringify(each));
  throw new Error(`Expected of ${what}: ${wanted}, got ${shown}`);
}
