/** A set divided by the last two characters of keys: a single large set would be rehashed in one long pause. */
export class KeySet {
  readonly #parts = new Map<string, Set<string>>();

  has(key: string): boolean {
    return this.#parts.get(key.slice(-2))?.has(key) === true;
  }

  /** Adds a key; returns whether it is new. */
  add(key: string): boolean {
    const part = this.#parts.get(key.slice(-2)) ?? new Set();
    if (part.size === 0) this.#parts.set(key.slice(-2), part);
    const { size } = part;
    return part.add(key).size > size;
  }
}
