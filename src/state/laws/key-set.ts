/** Keys in parts, by their last two characters: a single set of so many would be moved at once whenever it grows. */
export class KeySet {
  readonly #parts = new Map<string, Set<string>>();

  has(key: string): boolean {
    return this.#parts.get(key.slice(-2))?.has(key) === true;
  }

  /** Whether the key is new. */
  add(key: string): boolean {
    const part = this.#parts.get(key.slice(-2)) ?? new Set();
    if (part.size === 0) this.#parts.set(key.slice(-2), part);
    const { size } = part;
    return part.add(key).size > size;
  }
}
