import type { Change } from './row.ts';

/** A savepoint within a commit. */
interface Mark {
  readonly sequence: number;
  readonly changes: number;
  readonly others: number;
}

/** The changes of the open commit, which can be undone, all of them or back to a savepoint. */
export class UndoLog {
  /** The last number given in the order of creation; undoing gives numbers back. */
  sequence = 0;
  /** Changes with every savepoint and every undo: two changes in the same scope can only be undone together. */
  scope = 0;
  #changes: Change[] | undefined;
  /** How to undo changes of anything but records. */
  readonly #others: (() => void)[] = [];

  constructor(private readonly undo: (change: Change) => void) {}

  get isOpen(): boolean {
    return this.#changes !== undefined;
  }

  note(change: Change): void {
    if (!this.#changes) throw new Error(`${change.table} ${change.id} written outside a commit`);
    this.#changes.push(change);
  }

  /** Registers how to undo a change of anything but records; does nothing outside a commit. */
  noteOther(undo: () => void): void {
    if (this.#changes) this.#others.push(undo);
  }

  /** Runs work in a new commit, which is undone if the work or `notify` throws. */
  open<T>(work: () => T, notify: (changes: readonly Change[]) => void) {
    const changes: Change[] = [];
    const mark = this.#mark();
    this.#changes = changes;
    try {
      const value = work();
      this.#changes = undefined;
      if (changes.length > 0) notify(changes);
      return { value, changes: changes as readonly Change[] };
    } catch (error) {
      this.#undoTo(mark, changes);
      throw error;
    } finally {
      this.#changes = undefined;
      this.#others.length = 0;
    }
  }

  /** Runs work within the open commit; undoes its changes if it throws. */
  undoingFailure<T>(work: () => T): T {
    const changes = this.#changes as Change[];
    const mark = this.#mark();
    try {
      return work();
    } catch (error) {
      this.#undoTo(mark, changes);
      throw error;
    }
  }

  /** Runs work and always undoes its changes, within a commit or without one. */
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
    return { sequence: this.sequence, changes: length, others: this.#others.length };
  }

  #undoTo(mark: Mark, changes: Change[]): void {
    while (changes.length > mark.changes) this.undo(changes.pop() as Change);
    while (this.#others.length > mark.others) this.#others.pop()?.();
    this.sequence = mark.sequence;
    this.scope += 1;
  }
}
