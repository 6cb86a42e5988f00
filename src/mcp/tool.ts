import type { Client, ClientOptions, ClientRequest } from '../client/index.ts';
import type { AnyOperationId } from '../spec/operations.ts';
import { parseExact, serialise } from '../text/exact-json.ts';

/** What a tool works with: who calls which emulator, and the client of the caller's world. */
export interface ToolContext extends ClientOptions {
  readonly client: Client;
  /** Whether nothing in the world may be changed. */
  readonly isReadOnly: boolean;
}

/** The arguments of a tool, by name. */
export type Input = Readonly<Record<string, unknown>>;

/** A tool for a model: a thin call of operations. The emulator validates what it sends. */
export interface Tool {
  readonly name: string;
  readonly about: string;
  /** Whether it is left out where nothing may be changed. */
  readonly changes?: true;
  /** Its arguments: what a text says, or a JSON Schema. */
  readonly input: Readonly<Record<string, string | object>>;
  readonly required?: readonly string[];
  /** Returns what the model reads. @throws ApiError, ConnectionError with the emulator's reasons */
  run(context: ToolContext, input: Input): Promise<string>;
}

/** Calls an operation. Returns its response, short enough for a model. @throws ApiError, ConnectionError */
export async function read(
  { client }: Pick<ToolContext, 'client'>,
  operation: string,
  request: Input = {},
): Promise<string> {
  const asked = request as ClientRequest<AnyOperationId>;
  return brief(await client.read(operation as AnyOperationId, asked));
}

/** The arguments of these names that are given. */
export const pick = (input: Input, ...names: readonly string[]): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name)));

/** How much of a list to return. */
export const PAGE = {
  limit: { type: 'integer', description: 'How many; default 10' },
  offset: { type: 'integer', description: 'How many to skip' },
};

/** What a model reads of a list, of a text, and of a result as a whole. */
const MAX_ITEMS = 10;
const MAX_TEXT = 300;
const MAX_RESULT = 8_000;

/**
 * The JSON of a response, short enough for a model: without nulls, long lists and texts cut, each with what was left out.
 * Numbers keep all their digits.
 */
export function brief(json: string): string {
  if (json === '') return 'Done.';
  return cut(serialise(shorten(parseExact(json))).text);
}

/** A text up to the length of a result, with how much was left out. */
export function cut(text: string): string {
  if (text.length <= MAX_RESULT) return text;
  const rest = text.length - MAX_RESULT;
  return `${text.slice(0, MAX_RESULT)}… ${rest} more characters: narrow the request, or use limit and offset.`;
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_TEXT)
    return `${value.slice(0, MAX_TEXT)}… ${value.length - MAX_TEXT} more characters`;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(shorten);
    return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(fields.map(([name, each]) => [name, shorten(each)]));
}
