import { type DifferenceKind, identifiersIn, type ResponseDifference } from './compare.ts';
import type { ReadResponse, TwinExchange } from './exchange.ts';
import { formOf, type IdMap } from './id-map.ts';

/** Kinds of differences that can follow from differing worlds. */
const OF_STATE: ReadonlySet<DifferenceKind> = new Set([
  ...(['status', 'missing', 'extra', 'value'] as const),
]);

/** Differences between the worlds of the service and of the emulator that an earlier difference left. */
export class UnlikeWorlds {
  /** Identifiers of the service without a counterpart in the emulator. */
  readonly #orphans = new Set<string>();
  /** The cause of the difference, by identifier or world. */
  readonly #causes = new Map<string, string>();

  constructor(private readonly ids: IdMap) {}

  isOrphan(id: string): boolean {
    return this.#orphans.has(id);
  }

  /** Records ids that only the service has. */
  orphan(identifiers: Iterable<string>, cause?: string): void {
    for (const id of identifiers) {
      if (this.ids.counterpart(id) !== undefined) continue;
      this.#orphans.add(id);
      if (cause !== undefined) this.blame([id], cause);
    }
  }

  /** Records that later differences about these names follow from a cause, unless an earlier cause is known. */
  blame(names: Iterable<string>, cause: string): void {
    for (const name of names)
      if (formOf(name) !== undefined && !this.#causes.has(name)) this.#causes.set(name, cause);
  }

  /** Records a write that only one side did, or whose result is unknown. */
  part({ names, world }: TwinExchange, cause: string, made?: ReadResponse): void {
    this.blame(names, cause);
    this.blame(
      identifiersIn(made?.body).map((id) => this.ids.original(id) ?? id),
      cause,
    );
    this.#causes.set(worldName(world), cause);
  }

  /** The cause of a difference: by its identifiers, or by its world when it is about everything in that world. */
  causeOf(
    { names, world, operation }: TwinExchange,
    { within, kind, at }: ResponseDifference,
  ): string | undefined {
    if (!OF_STATE.has(kind)) return undefined;
    for (const name of [...within, ...names]) {
      const cause = this.#causes.get(name);
      if (cause !== undefined) return cause;
    }
    const isAboutAll = operation !== undefined && !operation.path.includes('{') && at[0] === 'body';
    return isAboutAll ? this.#causes.get(worldName(world)) : undefined;
  }
}

const worldName = (world: string): string => `world ${world}`;
