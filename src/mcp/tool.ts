import type { Client, ClientRequest } from '../client/index.ts';
import type { AnyOperationId } from '../spec/operations.ts';
import { brief } from './brief.ts';

/** What a tool works with. */
export interface ToolContext {
  /** The client of the world. */
  readonly client: Client;
  /** The client of the world of another key. */
  readonly clientOf: (key: string) => Client;
  /** URL of the emulator. */
  readonly url: string;
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
