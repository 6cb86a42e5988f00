import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { type Instant, parseDuration, parseInstant } from '../domain/instant.ts';
import { yaml } from '../text/yaml.ts';

/** The flags of a command line, by camel-cased name. */
export type Flags = Readonly<Record<string, unknown>>;

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

/** Readers of the values of flags throw InvalidArgumentError with what they expected. */
function expected(what: string): never {
  throw new InvalidArgumentError(`Expected ${what}.`);
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const isWithin = /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most;
    return isWithin ? Number(text) : expected(`a whole number from ${least} to ${most}`);
  };
}

export const dateTime = (text: string): Instant =>
  parseInstant(text) ?? expected('a date-time such as 2026-03-31T23:00:00Z');

/** @units milliseconds */
export const milliseconds = (text: string): number =>
  parseDuration(text)?.toMillis() ?? expected('a duration such as 30s');

export function httpUrl(text: string): string {
  const isOne = URL.canParse(text) && /^https?:/.test(text);
  return isOne ? text : expected('an http or https URL');
}

const STANDARD_INPUT = 0;

/** Reads the text of a file, or standard input for `-`. @throws Error of the system */
export const readInput = (file: string): string =>
  readFileSync(file === '-' ? STANDARD_INPUT : file, 'utf8');

/** Parses a file in YAML or JSON. @throws Error saying why it cannot be read */
export const readYaml = (file: string): unknown => yaml().parse(readInput(file));
