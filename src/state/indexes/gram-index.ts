/** Texts of one block stand in so many numbers, so that few texts take little memory. */
const NUMBERS = 8;
const BLOCK = NUMBERS * 32;
/** A longer text has most grams, and is taken to have all. */
const LONGEST = 20_000;

/**
 * Which one, two and three characters follow each other in texts: their grams, a bit for each in a bucket that several
 * share. So most texts without a word are told without being read. Texts stand under places; one place may have several.
 */
export class GramIndex {
  readonly #blocks: Uint32Array[] = [];
  readonly #buckets: number;

  /** As many buckets as two to a power, which three divides. A text should have far fewer grams. */
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

  /** The grams of every text that holds a word: its threes; all of one that is shorter, twice, as it has no others. */
  gramsOf(word: string): readonly number[] {
    let bucket = 0;
    const buckets = Array.from({ length: word.length }, (_, at) => {
      bucket = this.#next(bucket, word.charCodeAt(at));
      return bucket;
    });
    if (buckets.length > 2) return buckets.slice(2);
    return buckets.slice(-1).flatMap((short) => [short, this.#second(short)]);
  }

  /** Whether one of the texts of a place may hold a word of such grams. */
  mayHold(place: number, grams: readonly number[]): boolean {
    const { bits, number, bit } = this.#find(place);
    return grams.every((gram) => ((bits[gram * NUMBERS + number] as number) & bit) !== 0);
  }

  /** The places that may hold a word of such grams, one at least. */
  *among(grams: readonly number[]): Generator<number, undefined> {
    for (const [block, bits] of this.#blocks.entries())
      for (let number = 0; number < NUMBERS; number += 1) {
        let left = -1;
        for (const gram of grams) left &= bits[gram * NUMBERS + number] as number;
        for (; left !== 0; left &= left - 1)
          yield block * BLOCK + number * 32 + 31 - Math.clz32(left & -left);
      }
  }

  /** The bucket of a gram and the next character; of four the first is shifted out. */
  #next(bucket: number, code: number): number {
    return ((bucket << (this.power / 3)) ^ Math.imul(code, 0x9e5)) & (this.#buckets - 1);
  }

  /** Another bucket of a gram that shares its first with others. */
  #second(bucket: number): number {
    return Math.imul(bucket + 1, 0x9e3779b1) >>> (32 - this.power);
  }

  /** The block that a place is in, which of the numbers of each bucket is about it, and which bit of that. */
  #find(place: number) {
    const block = Math.floor(place / BLOCK);
    while (this.#blocks.length <= block)
      this.#blocks.push(new Uint32Array(this.#buckets * NUMBERS));
    const bits = this.#blocks[block] as Uint32Array;
    return { bits, number: (place >>> 5) % NUMBERS, bit: 1 << (place & 31) };
  }
}
