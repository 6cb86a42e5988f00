import type { Change } from './table.ts';

/** The changes of the commit that is under way, by which they are undone, all or the latest of them. */
export class UndoLog {
  /** The last place that was given in the order of creation; what is undone gives its places back. */
  sequence = 0;
  #changes: Change[] | undefined;

  constructor(private readonly undo: (change: Change) => void) {}

  get isOpen(): boolean {
    return this.#changes !== undefined;
  }

  note(change: Change): void {
    if (!this.#changes) throw new Error(`${change.table} ${change.id} written outside a commit`);
    this.#changes.push(change);
  }

  /** Runs work in a commit of its own; whoever is told of its changes may still refuse them. */
  open<T>(work: () => T, tell: (changes: readonly Change[]) => void) {
    const changes: Change[] = [];
    const { sequence } = this;
    this.#changes = changes;
    try {
      const value = work();
      this.#changes = undefined;
      if (changes.length > 0) tell(changes);
      return { value, changes: changes as readonly Change[] };
    } catch (error) {
      this.#undoTo(0, changes, sequence);
      throw error;
    } finally {
      this.#changes = undefined;
    }
  }

  /** Runs work within the open commit; what it changed is undone where it throws. */
  undoingRefusal<T>(work: () => T): T {
    const { sequence } = this;
    const changes = this.#changes as Change[];
    const mark = changes.length;
    try {
      return work();
    } catch (error) {
      this.#undoTo(mark, changes, sequence);
      throw error;
    }
  }

  /** Runs work and undoes what it changed, within a commit or without. */
  undoing<T>(work: () => T): T {
    const { sequence } = this;
    const outer = this.#changes;
    const changes = outer ?? [];
    const mark = changes.length;
    this.#changes = changes;
    try {
      return work();
    } finally {
      this.#undoTo(mark, changes, sequence);
      this.#changes = outer;
    }
  }

  #undoTo(mark: number, changes: Change[], sequence: number): void {
    while (changes.length > mark) this.undo(changes.pop() as Change);
    this.sequence = sequence;
  }
}
