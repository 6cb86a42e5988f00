/** 32-bit numbers per bucket and block: small, so that few texts take little memory. */
const NUMBERS = 8;
const BLOCK = NUMBERS * 32;
/** A power of two that is a multiple of 3. A text should have far fewer n-grams than there are buckets. */
const POWER = 12;
const BUCKETS = 2 ** POWER;
/** A longer text has most n-grams, and is treated as if it had all. */
const LONGEST = 20_000;

/**
 * A Bloom filter over the n-grams (one, two and three characters) of texts, so that most texts without a word are ruled
 * out without being read. Texts are stored under numbered places; a place may have several texts.
 */
export class GramIndex {
  readonly #blocks: Uint32Array[] = [];

  add(place: number, text: string): void {
    const { bits, number, bit } = this.#find(place);
    const set = (bucket: number): void => {
      const at = bucket * NUMBERS + number;
      bits[at] = (bits[at] as number) | bit;
    };
    if (text.length > LONGEST) for (let bucket = 0; bucket < BUCKETS; bucket += 1) set(bucket);
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

  /** The bucket of an n-gram extended by a character; of four, the first is shifted out. */
  #next(bucket: number, code: number): number {
    return ((bucket << (POWER / 3)) ^ Math.imul(code, 0x9e5)) & (BUCKETS - 1);
  }

  /** A second bucket for short n-grams, which share their first one with others. */
  #second(bucket: number): number {
    return Math.imul(bucket + 1, 0x9e3779b1) >>> (32 - POWER);
  }

  /** The block of a place, and which number and bit of each bucket belong to it. */
  #find(place: number) {
    const block = Math.floor(place / BLOCK);
    while (this.#blocks.length <= block) this.#blocks.push(new Uint32Array(BUCKETS * NUMBERS));
    const bits = this.#blocks[block] as Uint32Array;
    return { bits, number: (place >>> 5) % NUMBERS, bit: 1 << (place & 31) };
  }
}
