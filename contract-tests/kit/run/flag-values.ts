import { InvalidArgumentError } from 'commander';

/** Parsers of the values of flags. Each throws InvalidArgumentError with what it expected. */
export function expected(what: string): never {
  throw new InvalidArgumentError(`Expected ${what}.`);
}

export const wholeNumber =
  (least = 0, most = 999_999_999) =>
  (text: string): number => {
    const isWithin = /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most;
    return isWithin ? Number(text) : expected(`a whole number from ${least} to ${most}`);
  };

/** `:8080` or `8080`. */
export const port = (text: string): number => wholeNumber(0, 65_535)(text.replace(/^:/, ''));

export const httpUrl = (text: string): string =>
  URL.canParse(text) && /^https?:/.test(text) ? text : expected('an http or https URL');

export const commaList = (text: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  ...text.split(',').filter((part) => part !== ''),
];
