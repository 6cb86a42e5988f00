import { Option } from 'commander';

/** The flags of a command line, by camel-cased name. */
export type Flags = Readonly<Record<string, unknown>>;

/** A flag for each field of a query or a body. */
export type FieldFlags<T> = T extends unknown ? { readonly [Field in keyof T]?: Option } : never;

interface FlagParts {
  readonly preset?: unknown;
  readonly choices?: readonly string[];
  /** Reads the text of a flag. @throws InvalidArgumentError saying what was expected */
  readonly read?: (text: string) => unknown;
  /** Environment variable used if the flag is absent. */
  readonly env?: string;
}

export function flag(names: string, about: string, parts: FlagParts = {}): Option {
  const { preset, choices, read, env } = parts;
  const option = new Option(names, about).default(preset);
  if (choices) option.choices(choices);
  if (read) option.argParser(read);
  return env === undefined ? option : option.env(env);
}

/** A flag with a number as its value. Any other text is passed on, and the emulator reports it. */
export function numberFlag(names: string, about: string, preset?: number): Option {
  const read = (text: string) =>
    text.trim() === '' || !Number.isFinite(Number(text)) ? text : Number(text);
  return flag(names, about, { preset, read });
}

/** Returns the fields whose flags are given, with their values. */
export function fieldsOf(fields: FieldFlags<object> | undefined, flags: Flags): object {
  const given = Object.entries((fields ?? {}) as Readonly<Record<string, Option>>)
    .map(([field, option]) => [field, flags[option.attributeName()]] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
