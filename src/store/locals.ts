/** A kind of state that each owner has beside its records, created on first use. */
export interface Local<T, Owner> {
  readonly name: string;
  open(owner: Owner): T;
  /** Empties it when the owner is reset; absent if it outlives a reset. */
  clear?(kept: T): void;
  /** A copy for a generation that can be returned to, and its memory; absent if it does not return. */
  hold?(kept: T): { readonly held: T; readonly bytes: number };
  /** Takes over the state of a draft that replaces the contents of the owner. */
  adopt?(kept: T, drafted: T): void;
  /** Releases timers and waiting callers when the owner closes. */
  close?(kept: T): void;
}

/** All such state of one owner. */
export class Locals<Owner> {
  readonly #values = new Map<Local<unknown, Owner>, unknown>();

  of<T>(definition: Local<T, Owner>, owner: Owner): T {
    const known = this.#values.get(definition as Local<unknown, Owner>);
    if (known !== undefined) return known as T;
    const made = definition.open(owner);
    this.#values.set(definition as Local<unknown, Owner>, made);
    return made;
  }

  /** A copy of what returns with a generation of the owner, and its memory. */
  hold(): { readonly beside: Locals<Owner>; readonly bytes: number } {
    const beside = new Locals<Owner>();
    let bytes = 0;
    for (const [definition, kept] of this.#values) {
      const copy = definition.hold?.(kept);
      if (!copy) continue;
      beside.#values.set(definition, copy.held);
      bytes += copy.bytes;
    }
    return { beside, bytes };
  }

  clear(): void {
    for (const [definition, kept] of this.#values) definition.clear?.(kept);
  }

  adopt(draft: Locals<Owner>, owner: Owner): void {
    for (const [definition, drafted] of draft.#values)
      definition.adopt?.(this.of(definition, owner), drafted);
  }

  close(): void {
    for (const [definition, kept] of this.#values) definition.close?.(kept);
    this.#values.clear();
  }
}
