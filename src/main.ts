import { setMaxListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import type { WorldClocks } from './clock/world-clocks.ts';
import { closeServed } from './cluster/join.ts';
import { createLogger } from './config/log.ts';
import { type MachineTime, machineTime } from './config/machine-time.ts';
import { type GivenSettings, readSettings, type Settings } from './config/settings.ts';
import { createControlApi, createServiceApi } from './control/apis.ts';
import { createScenarioTargets } from './control/scenario-targets.ts';
import { type Core, createCore } from './core.ts';
import { LIMITS, type Limits } from './domain/limits.ts';
import type { EmulatorOptions } from './emulator-options.ts';
import type { ScenarioTarget } from './fixtures/scenario.ts';
import { answerOwn, createApp } from './http/app.ts';
import { authenticator } from './http/credentials.ts';
import type { RequestLog } from './http/log/request-log.ts';
import { createOriginGuard } from './http/origin-guard.ts';
import type { Api } from './http/request-context.ts';
import { type ListeningServer, listenAsSet } from './http/server.ts';
import type { PageActions } from './pages/page-control.ts';
import { createPageRoutes } from './pages/page-routes.ts';
import { handlers as ownHandlers } from './resources/index.ts';
import { headerNames } from './spec/header-names.ts';
import { setOrigin } from './store/snapshots.ts';
import { memoryStorage, withSecret } from './store/storage/storage.ts';
import type { World } from './store/world.ts';
import type { Worlds } from './store/worlds.ts';
import { waysIn } from './ways-in.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';
import type { Inboxes } from './webhooks/inbox.ts';

export type { EmulatorOptions };

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
    ...options,
    settings,
    log,
    machine,
    storage,
    closing: closed.signal,
    targetOf: (world) => targets.atOnce(world),
  });
  const { services, inboxes } = core;
  const names = headerNames(settings.service_name);
  const shared = { settings, log, authenticate: authenticator(services.worldManager, names) };
  const service = createServiceApi(shared, services, handlers);
  const control = createControlApi(shared, services);
  const targets = createScenarioTargets({ ...services, names, apis: [service, control] });
  const app = createListener(core, machine, shared, { service, control }, targets.waiting);
  const handle = options.around?.(app) ?? app;
  services.worldManager.load();
  return {
    settings,
    worlds: services.worlds,
    requests: services.requests,
    clocks: services.clocks,
    dispatcher: services.dispatcher,
    inboxes,
    handle,
    admitFixture: (file) => services.worldManager.fixtures.add(file),
    markOrigin: (key) => markOrigin(services.worlds.find(key)),
    targetOf: targets.waiting,
    ...serving(handle, core, closed),
  };
}

/** The listener of every request: the two APIs, and what is served beside them. */
function createListener(
  core: Core,
  machine: MachineTime,
  shared: Pick<Api, 'settings' | 'log' | 'authenticate'>,
  apis: { readonly service: Api; readonly control: Api },
  targetOf: Emulator['targetOf'],
): RequestListener {
  const { settings, log } = shared;
  const { worlds, requests } = core.services;
  const send: PageActions['send'] = (rawRequest, body) =>
    answerOwn(apis.service, { rawRequest, body }, { requests, machine });
  const actions = { machine, send, targetOf };
  return createApp({
    originGuard: createOriginGuard(settings, (key) => worlds.isKnown(key), log),
    requests,
    machine,
    sharing: core.sharing,
    apis,
    otherwise: createPageRoutes({
      ...core,
      ...shared,
      actions,
      waysIn: waysIn({ ...core, ...shared }),
    }),
  });
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
