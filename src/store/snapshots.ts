import type { Instant } from '../domain/instant.ts';
import type { World, WorldImage } from './world.ts';
import type { WorldLocal } from './world-local.ts';

/** The whole state of a world at a moment, with a name. */
export interface Snapshot {
  readonly name: string;
  /** The world's time when it was saved. */
  readonly saved_at: Instant;
  readonly image: WorldImage;
}

/** What a reset restores: what the key opens with, an empty world, a fixture, or an image. */
export type Origin =
  | { readonly kind: 'preset' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'fixture'; readonly name: string }
  | { readonly kind: 'image'; readonly image: WorldImage };

/** The snapshots and the origin of a world; they outlive resets. */
export interface SnapshotStore {
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

/** The snapshots and the origin of a world, as of now. */
export const copySnapshots = (world: World): SnapshotStore => ({
  snapshots: new Map(snapshotsOf(world)),
  origin: originOf(world),
});

/** Gives a world its snapshots and its origin back; a snapshot that it has by the same name stays. */
export function returnSnapshots(world: World, { snapshots, origin }: SnapshotStore): void {
  const present = snapshotsOf(world);
  for (const [name, snapshot] of snapshots) if (!present.has(name)) present.set(name, snapshot);
  setOrigin(world, origin);
}

/** Saves the state of a world, replacing a snapshot of the same name. */
export function storeSnapshot(world: World, name: string): Snapshot {
  const snapshot = { name, saved_at: world.now, image: world.capture() };
  snapshotsOf(world).set(name, snapshot);
  return snapshot;
}
