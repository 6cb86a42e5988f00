import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { type Instant, parseDuration, parseInstant } from '../domain/instant.ts';
import { yaml } from '../text/yaml.ts';

/** Parsers of command line values. Each throws InvalidArgumentError with what it expected. */
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

export const commaList = (text: string): string[] => text.split(',').map((part) => part.trim());

const STANDARD_INPUT = 0;

/** Reads the text of a file, or standard input for `-`. @throws Error of the system */
export const readInput = (file: string): string =>
  readFileSync(file === '-' ? STANDARD_INPUT : file, 'utf8');

/** Parses a file in YAML or JSON. @throws Error saying why it cannot be read */
export const readYaml = (file: string): unknown => yaml().parse(readInput(file));
