import { setMaxListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import { WorldClocks } from './clock/world-clocks.ts';
import { closeServed, joinCluster } from './cluster/join.ts';
import { createLogger, type Logger } from './config/log.ts';
import { type MachineTime, machineTime } from './config/machine-time.ts';
import { type GivenSettings, readSettings, type Settings } from './config/settings.ts';
import { createControlApi, createServiceApi } from './control/apis.ts';
import { createScenarioTargets } from './control/scenario-targets.ts';
import { IdleWorlds } from './control/worlds/idle-worlds.ts';
import { WorldManager } from './control/worlds/world-manager.ts';
import { duration } from './domain/instant.ts';
import { LIMITS, type Limits } from './domain/limits.ts';
import type { ScenarioTarget } from './fixtures/scenario.ts';
import { answerOwn, createApp } from './http/app.ts';
import { authenticator } from './http/credentials.ts';
import type { Exchange } from './http/log/exchange.ts';
import { RequestLog, RequestMetrics } from './http/log/request-log.ts';
import { createOriginGuard } from './http/origin-guard.ts';
import { type Listening, type ListeningServer, listenAsSet } from './http/server.ts';
import type { PageActions } from './pages/page-control.ts';
import { createPageRoutes } from './pages/page-routes.ts';
import type { Handlers } from './resources/context.ts';
import { handlers as ownHandlers } from './resources/index.ts';
import { headerNames } from './spec/header-names.ts';
import { setOrigin } from './store/snapshots.ts';
import { memoryStorage, type Storage, withSecret } from './store/storage/storage.ts';
import type { CommitListener, World } from './store/world.ts';
import type { Worlds } from './store/worlds.ts';
import { waysIn } from './ways-in.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';
import { createOwnAddress, type Resolve, trustedByReceivers } from './webhooks/egress.ts';
import { Inboxes } from './webhooks/inbox.ts';
import { createPoster, type Poster } from './webhooks/post.ts';

export interface EmulatorOptions {
  readonly settings?: GivenSettings;
  readonly log?: Logger;
  /** Returns the machine's time. Tests replace it to stop time. */
  readonly machine?: MachineTime;
  /** Called on every commit of every world. If it throws, the commit is rolled back. */
  readonly onCommit?: CommitListener;
  /** Where the worlds are kept. Default: in memory only. */
  readonly storage?: Storage;
  /** Wraps the request listener, such as to change what arrives or what is sent. */
  readonly around?: (handle: RequestListener) => RequestListener;
  /** Handlers of the operations. Default: the emulator's own. */
  readonly handlers?: Handlers;
  /** Resolves host names of webhook receivers. Default: the machine's resolver. */
  readonly resolve?: Resolve;
  /** Ends the process, for a request that stops the emulator. Default: such a request is rejected. */
  readonly stop?: () => void;
  /** Sends webhook requests. Default: the emulator's own HTTP client. */
  readonly poster?: Poster;
}

/**
 * An emulator. It serves HTTP after `listen`, or is only called through `handle`. Several in one process share
 * nothing.
 */
export interface Emulator {
  readonly settings: Settings;
  readonly worlds: Worlds;
  /** The latest requests and responses, by world. */
  readonly requests: RequestLog;
  readonly clocks: WorldClocks;
  readonly dispatcher: Dispatcher;
  readonly inboxes: Inboxes;
  /** Handles requests, on a server or under a test client. */
  readonly handle: RequestListener;
  /** Allows requests to name this fixture file. Requests cannot read other files of the machine. */
  admitFixture(file: string): void;
  /** Makes the present state of the world of a key what a reset restores. */
  markOrigin(key: string): void;
  /** Returns the target on which a scenario runs. It waits for webhook deliveries. */
  targetOf(world: World): ScenarioTarget;
  /**
   * Listens on the configured port, or takes over the server `early`. Returns the base address once requests
   * are served. If it fails, it releases the storage.
   */
  listen(early?: ListeningServer): Promise<string>;
  /** The base address by https, once it listens; undefined if the settings ask for none. */
  secureUrl(): string | undefined;
  /** Stops listening. Requests in progress are finished first. */
  close(): Promise<void>;
}

/** Composition root: the core, its two APIs, and the pages beside them. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const { machine = machineTime, handlers = ownHandlers, storage = memoryStorage } = options;
  const settings = withSecret(settingsOf(options.settings), storage);
  const log = options.log ?? createLogger(settings);
  const closed = createClosing();
  const core = createCore({
    ...{ ...options, settings, log, machine, storage, closing: closed.signal },
    targetOf: (world) => targets.atOnce(world),
  });
  const { services, inboxes } = core;
  const { worlds, requests, clocks, dispatcher, worldManager } = services;
  const names = headerNames(settings.service_name);
  const shared = { settings, log, authenticate: authenticator(worldManager, names) };
  const service = createServiceApi(shared, services, handlers);
  const control = createControlApi(shared, services);
  const targets = createScenarioTargets({ ...services, names, apis: [service, control] });
  const recording = { requests, machine };
  const send: PageActions['send'] = (rawRequest, body) =>
    answerOwn(service, { rawRequest, body }, recording);
  const actions = { machine, send, targetOf: targets.waiting };
  const mounts = waysIn({ ...core, ...shared });
  const app = createApp({
    originGuard: createOriginGuard(settings, (key) => worlds.isKnown(key), log),
    ...recording,
    sharing: core.sharing,
    apis: { service, control },
    otherwise: createPageRoutes({ ...core, ...shared, actions, waysIn: mounts }),
  });
  worldManager.load();
  const handle = options.around?.(app) ?? app;
  return {
    ...{ settings, worlds, requests, clocks, dispatcher, inboxes, handle },
    admitFixture: (file) => worldManager.fixtures.add(file),
    markOrigin: (key) => markOrigin(worlds.find(key)),
    targetOf: targets.waiting,
    ...serving(handle, core, closed),
  };
}

function markOrigin(world: World | undefined): void {
  if (world) setOrigin(world, { kind: 'image', image: world.capture() });
}

/** The settings as given, and the limits, which only tests give. */
function settingsOf({ limits, ...given }: GivenSettings = {}): Settings {
  return { ...readSettings(given), limits: { ...LIMITS, ...(limits as Partial<Limits>) } };
}

/** Each wait and each open page listens to its signal; Node would report more than ten as a leak. */
function createClosing(): AbortController {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  return closing;
}

/** Starts and stops the server. `close` aborts `closed` first, so that waiting requests end. */
function serving(
  handle: RequestListener,
  { own, services, storage, listening, idle, cluster }: Core,
  closed: AbortController,
): Pick<Emulator, 'listen' | 'secureUrl' | 'close'> {
  const giveBack = async (error: Error): Promise<never> => {
    await storage.release();
    throw error;
  };
  return {
    async listen(early) {
      const servers = await listenAsSet(handle, services.settings, early).catch(giveBack);
      listening.servers = servers;
      cluster?.serve(servers, handle);
      own.listensOn(servers.plain.port, servers.secure?.port);
      return servers.plain.url;
    },
    secureUrl: () => listening.servers?.secure?.url,
    async close() {
      idle?.stop();
      services.clocks.running.stop();
      closed.abort();
      services.dispatcher.close();
      await closeServed(storage, listening.servers, cluster);
    },
  };
}

interface CoreOptions extends Omit<EmulatorOptions, 'settings' | 'handlers' | 'storage'> {
  readonly storage: Storage;
  readonly settings: Settings;
  readonly log: Logger;
  readonly machine: MachineTime;
  readonly closing: AbortSignal;
  readonly targetOf: Emulator['targetOf'];
}

type Core = ReturnType<typeof createCore>;

/** Creates everything that works without HTTP. */
function createCore(options: CoreOptions) {
  const { settings, log, machine, closing, resolve } = options;
  const { poster = createPoster(resolve, trustedByReceivers(settings)) } = options;
  const { storage, onCommit, targetOf, stop } = options;
  const own = createOwnAddress(settings);
  const inboxes = new Inboxes();
  const dispatcher = new Dispatcher({
    ...{ settings, log, poster, inboxes, storage, isOwn: own.covers },
  });
  const cluster = storage.shared && joinCluster(storage.shared, settings, closing);
  const handOver = cluster?.handOver;
  const clocks = new WorldClocks({ settings, machine, log, deliveries: dispatcher, storage });
  const worldManager = new WorldManager({
    ...{ settings, machine, clocks, dispatcher, storage, handOver, onCommit, targetOf },
  });
  const idle = cluster && new IdleWorlds(worldManager, duration(settings.idle).toMillis());
  const sharing = idle && cluster.share(worldManager, idle);
  const requests = new RequestLog(settings.limits);
  const { worlds } = worldManager;
  const services = { worlds, worldManager, requests, clocks, dispatcher, settings, closing, stop };
  const listening: { servers?: Listening } = {};
  const metrics = new RequestMetrics();
  requests.onExchange(metrics.count);
  if (settings.log_level === 'debug') requests.onExchange((exchange) => logDebug(log, exchange));
  return { own, inboxes, services, storage, listening, idle, cluster, sharing, metrics };
}

function logDebug(log: Logger, { requestId, operation, rawResponse, took }: Exchange): void {
  const fields = { request_id: requestId, operation: operation?.id, status: rawResponse.status };
  log.debug('request', { ...fields, took_ms: took });
}
