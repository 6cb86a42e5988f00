import type { Change } from './table.ts';

/** How far the work of a commit had come. */
interface Mark {
  readonly sequence: number;
  readonly changes: number;
  readonly further: number;
}

/** The changes of the commit that is under way, by which they are undone, all or the latest of them. */
export class UndoLog {
  /** The last place that was given in the order of creation; what is undone gives its places back. */
  sequence = 0;
  /** Differs before and after any change that may have been undone, or may be undone by itself. */
  scope = 0;
  #changes: Change[] | undefined;
  /** How to undo what stands beside the records. */
  readonly #further: (() => void)[] = [];

  constructor(private readonly undo: (change: Change) => void) {}

  get isOpen(): boolean {
    return this.#changes !== undefined;
  }

  note(change: Change): void {
    if (!this.#changes) throw new Error(`${change.table} ${change.id} written outside a commit`);
    this.#changes.push(change);
  }

  /** Takes note of how to undo what stands beside the records; outside a commit nothing ever is. */
  noteFurther(undo: () => void): void {
    if (this.#changes) this.#further.push(undo);
  }

  /** Runs work in a commit of its own; whoever is told of its changes may still refuse them. */
  open<T>(work: () => T, tell: (changes: readonly Change[]) => void) {
    const changes: Change[] = [];
    const mark = this.#mark();
    this.#changes = changes;
    try {
      const value = work();
      this.#changes = undefined;
      if (changes.length > 0) tell(changes);
      return { value, changes: changes as readonly Change[] };
    } catch (error) {
      this.#undoTo(mark, changes);
      throw error;
    } finally {
      this.#changes = undefined;
      this.#further.length = 0;
    }
  }

  /** Runs work within the open commit; what it changed is undone where it throws. */
  undoingRefusal<T>(work: () => T): T {
    const changes = this.#changes as Change[];
    const mark = this.#mark();
    try {
      return work();
    } catch (error) {
      this.#undoTo(mark, changes);
      throw error;
    }
  }

  /** Runs work and undoes what it changed, within a commit or without. */
  undoing<T>(work: () => T): T {
    const outer = this.#changes;
    const changes = outer ?? [];
    const mark = this.#mark();
    this.#changes = changes;
    try {
      return work();
    } finally {
      this.#undoTo(mark, changes);
      this.#changes = outer;
    }
  }

  #mark(): Mark {
    this.scope += 1;
    const { length } = this.#changes ?? [];
    return { sequence: this.sequence, changes: length, further: this.#further.length };
  }

  #undoTo(mark: Mark, changes: Change[]): void {
    while (changes.length > mark.changes) this.undo(changes.pop() as Change);
    while (this.#further.length > mark.further) this.#further.pop()?.();
    this.sequence = mark.sequence;
    this.scope += 1;
  }
}
