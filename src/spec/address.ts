import { didYouMean } from '../text/wording.ts';
import { ADDRESSES } from './addresses.ts';

interface AddressParts {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

export interface Address {
  readonly method: string;
  readonly path: string;
  /** The query string, without the question mark. */
  readonly search: string;
}

/**
 * Returns the method and URL of an operation of either document.
 *
 * @throws Error for an operation that neither document has, or if a path parameter is missing
 */
export function addressOf(
  operation: string,
  { path = {}, query = {} }: AddressParts = {},
): Address {
  if (!Object.hasOwn(ADDRESSES, operation)) {
    const hint = didYouMean(operation, Object.keys(ADDRESSES));
    throw new Error(`There is no operation ${operation}.${hint}`);
  }
  const [method, template] = ADDRESSES[operation as keyof typeof ADDRESSES];
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  for (const name of names)
    if (path[name] === undefined) {
      const other = Object.keys(path).find((each) => !names.includes(each));
      throw new Error(
        `${operation} needs path.${name}${other ? `; it has no path.${other}` : ''}.`,
      );
    }
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return {
    method,
    path: template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(path[name])),
    ),
    search: new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString(),
  };
}
