import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Context } from '../resources/context.ts';

/** What parts of a page know of the page that they stand on. */
interface PageSurroundings {
  /** The time zone in which times read, by its name in the database of IANA. */
  readonly zone: string;
  /** Whether the date of a time stands above it. */
  readonly isByDay?: boolean;
  /** Where the page of a record is, by its identifier; absent where identifiers lead nowhere. */
  readonly recordLink?: (id: string) => string;
  /** What code of the service may touch for an owner of records, that of the page unless told. */
  readonly contextOf?: (owner?: string) => Context;
}

export const SurroundingsContext = createContext<PageSurroundings>({ zone: 'UTC' });

/** What code of the service may touch for the owner of the page, which has one. */
export const useServiceContext = (): Context =>
  (useContext(SurroundingsContext).contextOf as () => Context)();
