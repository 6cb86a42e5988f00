import type { Instant } from './instant.ts';
import type { Rule } from './rules.ts';

export type VersionStatus = 'draft' | 'published' | 'archived';

/** What decides which version of a product is the default. */
export interface CatalogVersion {
  readonly version: number;
  readonly status: VersionStatus;
}

/** Highest version number that a product may have. */
export const LAST_VERSION = 32_767;

/**
 * The number that a reference to a version comes to, be it one or the word `default`; undefined for
 * text of any other shape, and for `default` where there is none.
 *
 * @assumes
 */
export function resolveVersion(
  defaultVersion: number | undefined,
  reference: string | number,
): number | undefined {
  if (reference === 'default') return defaultVersion;
  return /^[1-9]\d{0,4}$/.test(String(reference)) ? Number(reference) : undefined;
}

/** The rule that a reference to a version breaks when it leads nowhere. */
export function missingVersionRule(reference: string | number): Rule {
  return reference === 'default' ? 'version.none_default' : 'version.unknown';
}

/** A version once it is published. */
export function publish<V extends CatalogVersion>(version: V, at: Instant) {
  return { ...version, status: 'published' as const, published_at: at };
}

/** A version once it is archived; one that is archived already stays as it is. */
export function archive<V extends CatalogVersion>(
  version: V,
  at: Instant,
): V | (V & { status: 'archived'; archived_at: Instant }) {
  return version.status === 'archived'
    ? version
    : { ...version, status: 'archived', archived_at: at };
}

/**
 * The default version once one was added or changed, given the others as they are.
 *
 * @assumes A-502 a published version takes over from one that is not; else only a request moves it
 */
export function defaultAfterChange(
  versions: readonly CatalogVersion[],
  current: number | undefined,
  changed: CatalogVersion,
  makeDefault: boolean,
): number | undefined {
  if (makeDefault) return changed.version;
  if (changed.status !== 'published') return current;
  const holder = versions.find(({ version }) => version === current);
  return holder?.status === 'published' ? current : changed.version;
}

/**
 * The default version once some were archived, given all versions as they then are, oldest first.
 *
 * @assumes A-502 it moves to the newest published version, if any
 */
export function defaultAfterArchiving(
  versions: readonly CatalogVersion[],
  current: number | undefined,
): number | undefined {
  const holder = versions.find(({ version }) => version === current);
  if (holder?.status !== 'archived') return current;
  return versions.findLast(({ status }) => status === 'published')?.version;
}
