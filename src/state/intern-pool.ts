/** So many are known of each kind; then they are learnt anew. */
const MOST_KNOWN = 10_000;

/** Values that repeat, each kept once under all that it says. */
export class InternPool<T> {
  readonly #values = new Map<string, T>();

  constructor(private readonly most: number = MOST_KNOWN) {}

  /** The value that is known under a key; this one, where none is. */
  intern(key: string, value: T): T {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#values.size >= this.most) this.#values.clear();
    this.#values.set(key, value);
    return value;
  }
}
