import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../config/settings.ts';
import type { Sharing } from '../http/app.ts';
import type { Listening } from '../http/server.ts';
import type { RemoteClaim, SharedWorlds, Storage } from '../store/storage/storage.ts';
import { Forwarder } from './forwarder.ts';
import { Hop } from './hop.ts';
import { LinkServer } from './link-server.ts';
import { type OwnWorlds, WorldSharing, type WorldUses } from './sharing.ts';

/** How long an emulator that has given its worlds back still tells its clients to try again. */
const DRAIN_MS = 500;

/**
 * Writes all worlds and stops listening. Where other emulators take them over at once, clients that still come are told to
 * try again, so that their connections end by themselves.
 */
export async function closeServed(
  storage: Pick<Storage, 'close'>,
  listening: Pick<Listening, 'close'> | undefined,
  cluster: { close(): void } | undefined,
): Promise<void> {
  if (!cluster) {
    await listening?.close();
    await storage.close();
    return;
  }
  try {
    await storage.close();
    if (listening) await pause(DRAIN_MS);
  } finally {
    cluster.close();
    await listening?.close();
  }
}

/** What an emulator does together with others that share its worlds. */
export function joinCluster(shared: SharedWorlds, settings: Settings, closing: AbortSignal) {
  const hop = new Hop(shared.hopSecret);
  const forwarder = new Forwarder(hop, closing);
  let links: LinkServer | undefined;
  return {
    /** Has another emulator give a world back. */
    handOver: (claim: RemoteClaim): Promise<void> => forwarder.handOver(claim),
    /** Has requests handled where their worlds are held. */
    share: (own: OwnWorlds, uses: WorldUses): Sharing =>
      new WorldSharing({ settings, forwarder, shared, own, uses, closing }),
    /** Handles what others forward to the server. */
    serve({ plain }: Listening, handle: RequestListener): void {
      const server = new LinkServer(hop, handle);
      plain.onConnect((request, socket, first) => server.connect(request, socket, first));
      links = server;
    },
    /** Ends the connections of others. */
    close: (): void => links?.close(),
  };
}
