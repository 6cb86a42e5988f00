import { serialise } from './exact-json.ts';

/** A shortened body, and the names of its shortened lists. */
export interface FittedBody {
  readonly body: unknown;
  /** Field paths, such as `items` or `fees.wallet.waiting`. */
  readonly cut: readonly string[];
}

/**
 * Shortens the lists of a body, the longest most, until its JSON fits. Other values stay unchanged.
 *
 * @param room bytes
 */
export function fitBody(body: unknown, room: number): FittedBody {
  const fitting = new Fitting();
  return { body: fitting.fit(body, room, ''), cut: [...fitting.cut] };
}

class Fitting {
  readonly cut = new Set<string>();
  readonly #sizes = new Map<object, number>();

  fit(value: unknown, room: number, place: string): unknown {
    if (!isNested(value) || this.#sizeOf(value) <= room) return value;
    return Array.isArray(value)
      ? this.#fitList(value, room - BRACKETS, place)
      : this.#fitFields(value, room - BRACKETS, place);
  }

  #fitList(list: readonly unknown[], room: number, place: string): unknown[] {
    const shown: unknown[] = [];
    let left = room;
    for (const item of list) {
      left -= this.#sizeOf(item) + COMMA;
      if (left < 0) break;
      shown.push(item);
    }
    if (shown.length < list.length) this.cut.add(place);
    return shown.length > 0 ? shown : list.slice(0, 1).map((item) => this.fit(item, room, place));
  }

  /** Divides the room equally among the fields; small fields leave their unused room to the others. */
  #fitFields(fields: object, room: number, place: string): object {
    const sized = Object.entries(fields).map(
      ([name, value]) => [name, value, this.#sizeOf(value)] as const,
    );
    const fitted = new Map<string, unknown>();
    let left = room;
    for (const [name, value] of sized.sort(([, , one], [, , other]) => one - other)) {
      const share = left / (sized.length - fitted.size) - frameOf(name);
      const shown = this.fit(value, share, place === '' ? name : `${place}.${name}`);
      fitted.set(name, shown);
      left -= this.#sizeOf(shown) + frameOf(name);
    }
    return Object.fromEntries(Object.keys(fields).map((name) => [name, fitted.get(name)]));
  }

  /** @returns the bytes of the JSON of a value */
  #sizeOf(value: unknown): number {
    if (!isNested(value)) return value === undefined ? 0 : bytesOf(value);
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    let size = BRACKETS;
    for (const [name, inner] of Object.entries(value))
      size += this.#sizeOf(inner) + (Array.isArray(value) ? COMMA : frameOf(name));
    this.#sizes.set(value, size);
    return size;
  }
}

const BRACKETS = 2;
const COMMA = 1;

const bytesOf = (value: unknown): number => Buffer.byteLength(serialise(value).text);

/** The bytes of a field name with its quotes, colon and comma. */
const frameOf = (name: string): number => bytesOf(name) + 2;

/** Whether a value contains other values; an exact number does not. */
const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value);
