/** 32-bit numbers per bucket and block: small, so that few texts take little memory. */
const NUMBERS = 8;
const BLOCK = NUMBERS * 32;
/** A longer text has most n-grams, and is treated as if it had all. */
const LONGEST = 20_000;

/**
 * A Bloom filter over the n-grams (one, two and three characters) of texts, so that most texts without a word are ruled
 * out without being read. Texts are stored under numbered places; a place may have several texts.
 */
export class GramIndex {
  readonly #blocks: Uint32Array[] = [];
  readonly #buckets: number;

  /** There are 2 ** `power` buckets; the power is a multiple of 3. A text should have far fewer n-grams. */
  constructor(private readonly power: 9 | 12) {
    this.#buckets = 2 ** power;
  }

  add(place: number, text: string): void {
    const { bits, number, bit } = this.#find(place);
    const set = (bucket: number): void => {
      const at = bucket * NUMBERS + number;
      bits[at] = (bits[at] as number) | bit;
    };
    if (text.length > LONGEST)
      for (let bucket = 0; bucket < this.#buckets; bucket += 1) set(bucket);
    else
      for (let at = 0, one = 0, two = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        set(this.#next(two, code));
        two = this.#next(one, code);
        one = this.#next(0, code);
        set(two);
        set(this.#second(two));
        set(one);
        set(this.#second(one));
      }
  }

  /** The buckets that every text with a word has set: of its trigrams or, for a shorter word, two of the whole word. */
  gramsOf(word: string): readonly number[] {
    let bucket = 0;
    const buckets = Array.from({ length: word.length }, (_, at) => {
      bucket = this.#next(bucket, word.charCodeAt(at));
      return bucket;
    });
    if (buckets.length > 2) return buckets.slice(2);
    return buckets.slice(-1).flatMap((short) => [short, this.#second(short)]);
  }

  /** Whether a text of a place may contain a word with these buckets. */
  mayHold(place: number, grams: readonly number[]): boolean {
    const { bits, number, bit } = this.#find(place);
    return grams.every((gram) => ((bits[gram * NUMBERS + number] as number) & bit) !== 0);
  }

  /** The places whose texts may contain a word with these buckets, at least one. */
  *among(grams: readonly number[]): Generator<number, undefined> {
    for (const [block, bits] of this.#blocks.entries())
      for (let number = 0; number < NUMBERS; number += 1) {
        let left = -1;
        for (const gram of grams) left &= bits[gram * NUMBERS + number] as number;
        for (; left !== 0; left &= left - 1)
          yield block * BLOCK + number * 32 + 31 - Math.clz32(left & -left);
      }
  }

  /** The bucket of an n-gram extended by a character; of four, the first is shifted out. */
  #next(bucket: number, code: number): number {
    return ((bucket << (this.power / 3)) ^ Math.imul(code, 0x9e5)) & (this.#buckets - 1);
  }

  /** A second bucket for short n-grams, which share their first one with others. */
  #second(bucket: number): number {
    return Math.imul(bucket + 1, 0x9e3779b1) >>> (32 - this.power);
  }

  /** The block of a place, and which number and bit of each bucket belong to it. */
  #find(place: number) {
    const block = Math.floor(place / BLOCK);
    while (this.#blocks.length <= block)
      this.#blocks.push(new Uint32Array(this.#buckets * NUMBERS));
    const bits = this.#blocks[block] as Uint32Array;
    return { bits, number: (place >>> 5) % NUMBERS, bit: 1 << (place & 31) };
  }
}
