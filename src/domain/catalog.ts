import type { Instant } from './instant.ts';
import type { Rule } from './rules.ts';

export type VersionStatus = 'draft' | 'published' | 'archived';

/** The fields of a version that decide the default version of its product. */
export interface CatalogVersion {
  readonly version: number;
  readonly status: VersionStatus;
}

/** The highest version number that a product can have. */
export const LAST_VERSION = 32_767;

/**
 * The version number of a reference: a number, its text, or `default`. Undefined for any other text, and for
 * `default` if the product has no default version.
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

/** The rule that an unresolved reference to a version breaks. */
export const missingVersionRule = (reference: string | number): Rule =>
  reference === 'default' ? 'version.none_default' : 'version.unknown';

/** Returns the version with the status published. */
export function publish<V extends CatalogVersion>(version: V, at: Instant) {
  return { ...version, status: 'published' as const, published_at: at };
}

/** Returns the version with the status archived; an archived version is returned unchanged. */
export function archive<V extends CatalogVersion>(
  version: V,
  at: Instant,
): V | (V & { status: 'archived'; archived_at: Instant }) {
  return version.status === 'archived'
    ? version
    : { ...version, status: 'archived', archived_at: at };
}

/**
 * The number of the default version after one version is added or changed. `versions` holds the other versions.
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
 * The number of the default version after some versions are archived. `versions` holds all versions after the
 * change, oldest first.
 *
 * @assumes A-502 it moves to the published version with the highest number, if any
 */
export function defaultAfterArchiving(
  versions: readonly CatalogVersion[],
  current: number | undefined,
): number | undefined {
  const holder = versions.find(({ version }) => version === current);
  if (holder?.status !== 'archived') return current;
  return versions.findLast(({ status }) => status === 'published')?.version;
}
