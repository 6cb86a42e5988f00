import { WorldClocks } from './clock/world-clocks.ts';
import { joinCluster } from './cluster/join.ts';
import type { Logger } from './config/log.ts';
import type { MachineTime } from './config/machine-time.ts';
import type { Settings } from './config/settings.ts';
import { IdleWorlds } from './control/worlds/idle-worlds.ts';
import { WorldManager } from './control/worlds/world-manager.ts';
import { duration } from './domain/instant.ts';
import type { EmulatorOptions } from './emulator-options.ts';
import type { ScenarioTarget } from './fixtures/scenario.ts';
import type { Exchange } from './http/log/exchange.ts';
import { RequestLog, RequestMetrics } from './http/log/request-log.ts';
import type { Listening } from './http/server.ts';
import type { Storage } from './store/storage/storage.ts';
import type { World } from './store/world.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';
import { createOwnAddress, trustedByReceivers } from './webhooks/egress.ts';
import { Inboxes } from './webhooks/inbox.ts';
import { createPoster } from './webhooks/post.ts';

interface CoreOptions extends Pick<EmulatorOptions, 'onCommit' | 'resolve' | 'poster' | 'stop'> {
  readonly settings: Settings;
  readonly log: Logger;
  readonly machine: MachineTime;
  readonly storage: Storage;
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal;
  /** Returns the target on which a fixture runs that opens a world. */
  readonly targetOf: (world: World) => ScenarioTarget;
}

export type Core = ReturnType<typeof createCore>;

/** Creates everything that works without HTTP. */
export function createCore(options: CoreOptions) {
  const { settings, log, machine, closing, storage, onCommit, targetOf, stop } = options;
  const poster = options.poster ?? createPoster(options.resolve, trustedByReceivers(settings));
  const own = createOwnAddress(settings);
  const inboxes = new Inboxes();
  const dispatcher = new Dispatcher({ settings, log, poster, inboxes, storage, isOwn: own.covers });
  const cluster = storage.shared && joinCluster(storage.shared, settings, closing);
  const handOver = cluster?.handOver;
  const clocks = new WorldClocks({ settings, machine, log, deliveries: dispatcher, storage });
  const worldManager = new WorldManager({
    settings,
    machine,
    clocks,
    dispatcher,
    storage,
    handOver,
    onCommit,
    targetOf,
  });
  const idle = cluster && new IdleWorlds(worldManager, duration(settings.idle).toMillis());
  const sharing = idle && cluster.share(worldManager, idle);
  const requests = new RequestLog(settings.limits);
  const { worlds } = worldManager;
  const services = { worlds, worldManager, requests, clocks, dispatcher, settings, closing, stop };
  const listening: { servers?: Listening } = {};
  const metrics = countRequests(requests, settings, log);
  return { own, inboxes, services, storage, listening, idle, cluster, sharing, metrics };
}

/** Counts each request, and logs it where the settings ask for that. */
function countRequests(
  requests: RequestLog,
  { log_level: level }: Settings,
  log: Logger,
): RequestMetrics {
  const metrics = new RequestMetrics();
  requests.onExchange(metrics.count);
  if (level === 'debug') requests.onExchange((exchange) => logDebug(log, exchange));
  return metrics;
}

function logDebug(log: Logger, { requestId, operation, rawResponse, took }: Exchange): void {
  const fields = { request_id: requestId, operation: operation?.id, status: rawResponse.status };
  log.debug('request', { ...fields, took_ms: took });
}
