import type { Settings } from '../../config/settings.ts';
import { type Finding, throwIfInvalid } from '../../domain/rules.ts';
import {
  BadRequest,
  findBadText,
  NO_BODY,
  parseValue,
  validateObject,
  validateUtf8,
} from '../../http/input.ts';
import type { Pieces } from '../../http/request-context.ts';
import { compiledSchemas } from '../../spec/compiled.ts';
import type { Json } from '../../spec/document.ts';
import { createSharer } from '../../store/intern-pool.ts';
import { Slices } from '../../store/time-sliced.ts';
import { JsonInput } from './json-input.ts';

/** The level that rows of tables are on. Levels above are read member by member, rows as a whole. */
const ROWS = 3;

/** More members than a record has, so that no error is made for each of a million. */
const MAX_MEMBERS = 1_000;

/** Fields and items of a row, in all: more would take longer to parse than others may wait. */
const MAX_FIELDS = 100_000;

/**
 * After this much without a valid record, each is validated as it is read, and after as much again the body is no
 * export: nothing else takes memory. All records are validated at the end: doing it twice would take a tenth longer.
 *
 * @units bytes
 */
const MAX_FOREIGN = 1_048_576;

/**
 * Parses a JSON object with the export of a world while it arrives, without holding its whole text. It ends early where
 * two megabytes contain no valid record.
 *
 * @throws BadRequest saying what is wrong with it, RuleViolation for text that no record may hold
 */
export async function readPieces(
  pieces: Pieces,
  settings: Pick<Settings, 'limits'>,
): Promise<Json> {
  const input = new JsonInput(pieces);
  try {
    return await readBody(input, settings);
  } finally {
    await input.close();
  }
}

async function readBody(input: JsonInput, { limits }: Pick<Settings, 'limits'>): Promise<Json> {
  if ((await input.next()) === undefined) throw new BadRequest(NO_BODY);
  // The longest row is an event whose data fills a body, with the event's other fields.
  const reader = new LevelReader(input, limits.MAX_EVENTS_BODY_BYTES + MAX_FOREIGN);
  const body = await reader.read('', ROWS);
  if ((await input.next()) !== undefined) refuse('', 'Expected nothing after its end.');
  throwIfInvalid(reader.findings);
  return validateObject(body);
}

const [COMMA, COLON, BRACE, BRACE_END, BRACKET, BRACKET_END] = Buffer.from(',:{}[]');

/** Parses values down to a level member by member, and as a whole below. */
class LevelReader {
  readonly findings: Finding[] = [];
  readonly #share = createSharer();
  readonly #slices = new Slices();
  readonly #validators = compiledSchemas('rows');
  /** Where the latest record ended that was validated here. */
  #recordEnd = 0;

  /** @param longestRow the length of the longest row of a table; other values have at most a megabyte. @units bytes */
  constructor(
    private readonly input: JsonInput,
    private readonly longestRow: number,
  ) {}

  /** How much was read since then. @units bytes */
  get #sinceRecord(): number {
    return this.input.position - this.#recordEnd;
  }

  async read(place: string, levels: number, table?: string): Promise<unknown> {
    if (this.#sinceRecord > 2 * MAX_FOREIGN)
      throw new BadRequest(
        `Expected the export of a world: a megabyte before ${place} holds no valid record.`,
      );
    const first = levels > 0 ? await this.input.next() : undefined;
    if (first === BRACE) return this.#readObject(place, levels - 1);
    if (first === BRACKET) return this.#readList(place, levels - 1);
    if (this.#slices.isOver) await this.#slices.pause();
    return this.#readValue(place, table);
  }

  async #readObject(place: string, levels: number): Promise<object> {
    const members: [string, unknown][] = [];
    await this.#readItems(place, BRACE_END, async () => {
      const name = await this.#readValue(place);
      if (typeof name !== 'string') return refuse(place, 'Expected a name in quotes.');
      if ((await this.input.next()) !== COLON) refuse(place, 'Expected a colon after a name.');
      this.input.skip();
      members.push([name, await this.read(place === '' ? name : `${place}.${name}`, levels)]);
    });
    return Object.fromEntries(members);
  }

  async #readList(place: string, levels: number): Promise<unknown[]> {
    const list: unknown[] = [];
    const [, table] = TABLE.exec(place) ?? [];
    await this.#readItems(place, BRACKET_END, async () => {
      list.push(await this.read(`${place}[${list.length}]`, levels, table));
    });
    return list;
  }

  /** Reads items separated by commas, from the opening bracket to the closing one. */
  async #readItems(place: string, close: number | undefined, readItem: () => Promise<void>) {
    this.input.skip();
    if ((await this.input.next()) !== close)
      for (;;) {
        await readItem();
        if ((await this.input.next()) !== COMMA) break;
        this.input.skip();
      }
    if ((await this.input.next()) !== close)
      refuse(place, 'Expected a comma, or the end of the list or object.');
    this.input.skip();
  }

  /** Reads a name, or a value below the levels; a row of a table, if one is given. */
  async #readValue(place: string, table?: string): Promise<unknown> {
    const longest = table === undefined ? MAX_FOREIGN : this.longestRow;
    const { bytes, fields, levels } = await this.input.value(longest);
    validateUtf8(bytes);
    if (fields > MAX_FIELDS)
      throw new BadRequest(`Expected at most ${MAX_FIELDS} fields at ${place}.`);
    const value = parseValue(bytes, place, levels);
    for (const each of findBadText(bytes, value, place)) this.findings.push(each);
    if (table !== undefined && this.#sinceRecord > MAX_FOREIGN) {
      if (this.#isRecord(table, value)) this.#recordEnd = this.input.position;
      else if (bytes.length > MAX_FOREIGN)
        throw new BadRequest(`Expected the export of a world: ${place} is no valid record.`);
    }
    return typeof value === 'object' && value !== null ? this.#share(value) : value;
  }

  #isRecord(table: string, value: unknown): boolean {
    if (Object.keys(value ?? {}).length > MAX_MEMBERS) return false;
    return this.#validators(table)?.(value) === true;
  }
}

const TABLE = /^tables\.(\w+)$/;

function refuse(place: string, message: string): never {
  throw new BadRequest(
    `The body is not valid JSON${place === '' ? '' : ` at ${place}`}: ${message}`,
  );
}
