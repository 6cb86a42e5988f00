import type { Instant } from '../domain/instant.ts';
import type { World, WorldImage } from './world.ts';
import type { WorldLocal } from './world-local.ts';

/** Everything that a world held at a moment, under a name. */
export interface Snapshot {
  readonly name: string;
  /** The world's time when it was saved. */
  readonly saved_at: Instant;
  readonly image: WorldImage;
}

/** What a world goes back to when it is reset: what its key opens with, nothing, a fixture, or a copy. */
export type Origin =
  | { readonly kind: 'preset' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'fixture'; readonly name: string }
  | { readonly kind: 'image'; readonly image: WorldImage };

/** Kept through resets: the named snapshots of a world, and what it opened with. */
interface SnapshotStore {
  readonly snapshots: Map<string, Snapshot>;
  origin: Origin;
}

const SNAPSHOT_STORE: WorldLocal<SnapshotStore> = {
  name: 'snapshots',
  open: () => ({ snapshots: new Map(), origin: { kind: 'preset' } }),
};

export const snapshotsOf = (world: World): Map<string, Snapshot> =>
  world.local(SNAPSHOT_STORE).snapshots;

export const originOf = (world: World): Origin => world.local(SNAPSHOT_STORE).origin;

export function setOrigin(world: World, origin: Origin): void {
  world.local(SNAPSHOT_STORE).origin = origin;
}

/** Saves what a world holds; a snapshot of the same name gives way. */
export function storeSnapshot(world: World, name: string): Snapshot {
  const snapshot = { name, saved_at: world.now, image: world.capture() };
  snapshotsOf(world).set(name, snapshot);
  return snapshot;
}
