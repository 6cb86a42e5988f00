import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Context } from '../resources/context.ts';

/** The context of a page that its components use. */
interface PageContextValue {
  /** Returns the URL of a record's page by its identifier; absent if identifiers are not links. */
  readonly recordLink?: (id: string) => string;
  /** Returns what to call a record in a sentence instead of its identifier. */
  readonly recordName?: (id: string) => string | undefined;
  /** Returns the service context of an owner of records; by default the owner of the page. */
  readonly contextOf?: (owner?: string) => Context;
}

export const PageContext = createContext<PageContextValue>({});

/** The service context of an owner of records; by default of the owner of the page. Use it only on pages with an owner. */
export const useServiceContext = (owner?: string): Context =>
  (useContext(PageContext).contextOf as (owner?: string) => Context)(owner);
