import { Option } from 'commander';

/** What was given on the command line, by the camel-cased name of each flag. */
export type Flags = Readonly<Record<string, unknown>>;

/** A flag for each field of a query or a body. */
export type FieldFlags<T> = T extends unknown ? { readonly [Field in keyof T]?: Option } : never;

interface FlagParts {
  readonly preset?: unknown;
  readonly choices?: readonly string[];
  /** Reads the text that was given. @throws InvalidArgumentError saying what was expected */
  readonly read?: (text: string) => unknown;
  /** Value of a flag that takes none. */
  readonly sets?: unknown;
  /** Variable that stands in for it. */
  readonly env?: string;
}

export function flag(names: string, about: string, parts: FlagParts = {}): Option {
  const { preset, choices, read, sets, env } = parts;
  const option = new Option(names, about).default(preset);
  if (choices) option.choices(choices);
  if (read) option.argParser(read);
  if (sets !== undefined) option.preset(sets);
  return env === undefined ? option : option.env(env);
}

/** A flag whose value is a number; any other text is passed on, for the emulator to name. */
export function numberFlag(names: string, about: string, preset?: number): Option {
  return flag(names, about, { preset, read: numberOrText });
}

/** A number where the text is one, else the text itself. */
export function numberOrText(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

/** The fields whose flags were given, with their values. */
export function fieldsOf(fields: FieldFlags<object> | undefined, flags: Flags): object {
  const given = Object.entries((fields ?? {}) as Readonly<Record<string, Option>>)
    .map(([field, option]) => [field, flags[option.attributeName()]] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
