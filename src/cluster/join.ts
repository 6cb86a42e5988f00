import type { Settings } from '../config/settings.ts';
import type { Sharing } from '../http/app.ts';
import type { RemoteClaim, SharedWorlds } from '../store/storage/shared-worlds.ts';
import { Forwarder } from './forwarder.ts';
import { Hop } from './hop.ts';
import { type OwnWorlds, WorldSharing, type WorldUses } from './sharing.ts';

/** What an emulator does together with others that share its worlds. */
export interface Cluster {
  /** Has another emulator give a world back. */
  handOver(claim: RemoteClaim): Promise<void>;
  /** Has requests handled where their worlds are held. */
  share(own: OwnWorlds, uses: WorldUses): Sharing;
}

export function joinCluster(
  shared: SharedWorlds,
  settings: Settings,
  closing: AbortSignal,
): Cluster {
  const hop = new Hop(shared.hopSecret, settings);
  const forwarder = new Forwarder(hop, closing);
  return {
    handOver: (claim) => forwarder.handOver(claim),
    share: (own, uses) =>
      new WorldSharing({ settings, hop, forwarder, shared, own, uses, closing }),
  };
}
