import { createContext } from 'preact';

/** What parts of a page know of the page that they stand on. */
export interface PageSurroundings {
  /** The time zone in which times read, by its name in the database of IANA. */
  readonly zone: string;
  /** Whether the date of a time stands above it. */
  readonly isByDay?: boolean;
  /** Where the page of a record is, by its identifier; absent where identifiers lead nowhere. */
  readonly recordLink?: (id: string) => string;
}

export const SurroundingsContext = createContext<PageSurroundings>({ zone: 'UTC' });
