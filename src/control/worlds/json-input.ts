import { BadRequest, type ScannedValue, scanValue } from '../../http/input.ts';
import type { Pieces } from '../../http/request-context.ts';

const BLANKS = new Set(Buffer.from(' \t\r\n'));

interface UnparsedValue extends Omit<ScannedValue, 'end'> {
  readonly bytes: Buffer;
}

/** JSON text that arrives in pieces; only the current value is buffered, up to a length. */
export class JsonInput {
  readonly #pieces: AsyncIterator<Buffer>;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #isOver = false;
  /** The number of bytes before the buffer. */
  #before = 0;

  constructor(pieces: Pieces) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** How many bytes have been read. */
  get position(): number {
    return this.#before + this.#at;
  }

  /** The next byte that is not whitespace, without consuming it; undefined at the end. */
  async next(): Promise<number | undefined> {
    for (;;) {
      for (; this.#at < this.#bytes.length; this.#at += 1) {
        const byte = this.#bytes[this.#at] as number;
        if (!BLANKS.has(byte)) return byte;
      }
      if (this.#isOver) return undefined;
      await this.#readOn();
    }
  }

  /** Discards what is not read. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  skip(): void {
    this.#at += 1;
  }

  /**
   * The next value, or what there is of it at the end of the text.
   *
   * @throws BadRequest for a value that is longer than `longest` bytes
   */
  async value(longest: number): Promise<UnparsedValue> {
    for (;;) {
      const start = this.#at;
      const { end, fields, levels } = scanValue(this.#bytes, start);
      if (end < this.#bytes.length || this.#isOver) {
        this.#at = end;
        return { bytes: this.#bytes.subarray(start, end), fields, levels };
      }
      if (end - start > longest)
        throw new BadRequest(`Expected values of at most ${longest} bytes.`);
      await this.#readOn();
    }
  }

  /** At least doubles the buffer, so that a long value is not scanned again for each of its pieces. */
  async #readOn(): Promise<void> {
    const parts = [this.#bytes.subarray(this.#at)];
    for (let wanted = (parts[0] as Buffer).length; wanted >= 0 && !this.#isOver; ) {
      const { value, done } = await this.#pieces.next();
      this.#isOver = done === true;
      if (done) break;
      parts.push(value);
      wanted -= value.length;
    }
    this.#before += this.#at;
    this.#bytes = Buffer.concat(parts);
    this.#at = 0;
  }
}
