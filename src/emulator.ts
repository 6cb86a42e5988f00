import type { RequestListener } from 'node:http';
import { createControlApi, createServiceApi, type KeepDurable } from './apis.ts';
import { createLogger, type Logger } from './config/log.ts';
import { type GivenSettings, readSettings, type Settings } from './config/settings.ts';
import { createInboxRouter } from './control/inbox.ts';
import { WorldStates } from './control/world-states.ts';
import { createApp } from './http/app.ts';
import { baseUrlOf } from './http/base-url.ts';
import { authenticator, headerNames } from './http/credentials.ts';
import { createFallback } from './http/fallback.ts';
import { FaultInjector } from './http/faults/fault-injector.ts';
import type { Exchange } from './http/log/exchange.ts';
import { RequestLog } from './http/log/request-log.ts';
import { ownerOfPath } from './http/own-paths.ts';
import { type ListeningServer, listenOn } from './http/server.ts';
import { autoTopUpOnCommit } from './jobs/auto-top-up-on-commit.ts';
import { WorldClocks } from './jobs/world-clocks.ts';
import type { Handlers } from './resources/context.ts';
import { handlers as ownHandlers } from './resources/index.ts';
import { createScenarioTargets } from './scenario-targets.ts';
import type { ScenarioTarget } from './scenarios/scenario-target.ts';
import { type MachineTime, machineTime } from './state/clock.ts';
import { onceDurable } from './state/durable.ts';
import type { Persistence } from './state/persistence.ts';
import { startClock } from './state/start-clock.ts';
import { bringBack } from './state/stored-worlds.ts';
import type { CommitListener, World } from './state/world.ts';
import { Worlds } from './state/worlds.ts';
import { createDocumentation, DOCUMENTATION_PATH } from './web/documentation/documentation.ts';
import { createInspector, INSPECTOR_PATH } from './web/inspector/inspector.ts';
import { createPages, type PagesOptions } from './web/pages.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';
import type { Resolve } from './webhooks/egress.ts';
import { Inboxes } from './webhooks/inbox.ts';
import { createOwnAddress } from './webhooks/own-address.ts';
import { createPoster, type Poster } from './webhooks/post.ts';
import { WorldSeeder } from './world-seeder.ts';

export interface EmulatorOptions {
  readonly settings?: GivenSettings;
  readonly log?: Logger;
  /** The machine's time, for tests that hold it still. */
  readonly machine?: MachineTime;
  /** Told of every commit of every world. Where it throws, the commit is undone. */
  readonly onCommit?: CommitListener;
  /** Where the worlds are kept; memory alone where absent. */
  readonly data?: Persistence | undefined;
  /** What answers the operations, where not the emulator's own handlers do. */
  readonly handlers?: Handlers;
  /** Finds the addresses of webhook receivers; the machine's resolver unless told. */
  readonly resolve?: Resolve;
  /** What sends webhook requests, where the emulator's own does not. */
  readonly poster?: Poster;
}

/** A running emulator, or one that is only called. Several in one process share nothing. */
export interface Emulator {
  readonly settings: Settings;
  readonly worlds: Worlds;
  /** What was asked and answered lately, by world. */
  readonly requests: RequestLog;
  readonly clocks: WorldClocks;
  /** What sends webhook events. */
  readonly dispatcher: Dispatcher;
  readonly inboxes: Inboxes;
  /** Answers requests, on a server or under a test client. */
  readonly handle: RequestListener;
  /** What a scenario is played on, deliveries included. */
  targetOf(world: World): ScenarioTarget;
  /** Listens; answers the base address once requests are answered. */
  listen(): Promise<string>;
  /** Stops listening, after the requests under way are answered. */
  close(): Promise<void>;
}

/** Composition root: builds the rooms and joins them. */
export function createEmulator({
  settings: given = {},
  log: givenLog,
  machine = machineTime,
  onCommit,
  data,
  handlers = ownHandlers,
  resolve,
  poster = createPoster(resolve),
}: EmulatorOptions = {}): Emulator {
  const settings = readSettings(given);
  const log = givenLog ?? createLogger(settings);
  const closed = new AbortController();
  const { signal: closing } = closed;

  const worlds = new Worlds(settings, machine, startClock(settings, machine), {
    opened,
    closed: gone,
  });
  const requests = new RequestLog({
    count: settings.request_log,
    bytes: settings.request_log_bytes,
  });
  const own = createOwnAddress(settings);
  const inboxes = new Inboxes();
  const dispatcher = new Dispatcher({ settings, log, poster, inboxes, isOwn: own.covers });
  const clocks = new WorldClocks({ settings, machine, log, deliveries: dispatcher });
  const seeder = new WorldSeeder(settings, (world) => targets.atOnce(world));
  const states = new WorldStates({ worlds, clocks, seeder, prepare });
  const services = { worlds, states, requests, clocks, dispatcher, settings, closing };

  const touch = () => data?.touch();
  /** Fixtures do not wait, as the world that they fill is not open yet. */
  const durable = () => (seeder.isUnderWay ? undefined : data?.durable());
  const keep: KeepDurable = (reply) => onceDurable(reply, durable);
  const names = headerNames(settings.service_name);
  const shared = { settings, log, authenticate: authenticator(worlds, names), keep };
  const service = createServiceApi({ ...shared, handlers, clocks });
  const control = createControlApi({ ...shared, services, touch });
  const targets = createScenarioTargets({ service, control, names, settings, clocks, dispatcher });

  let isLoading = true;

  function opened(world: World, draft?: World): void {
    prepare(world);
    const image = isLoading ? data?.imageOf(world) : undefined;
    if (draft) world.adoptContents(draft);
    else if (image) bringBack(world, image);
    else seeder.seed(world);
    touch();
    world.onCommit(touch);
    world.onRestore(touch);
    clocks.running.watch(world);
    dispatcher.attach(world);
  }

  /** Gives a world the rules that it lives by. */
  function prepare(world: World): void {
    world.afterCommit(() => autoTopUpOnCommit(world, settings));
    if (onCommit) world.onCommit(onCommit);
  }

  function gone(world: World): void {
    dispatcher.detach(world);
    clocks.running.forget(world);
    world.close();
    touch();
  }

  const pages: PagesOptions = {
    worlds,
    settings,
    log,
    baseUrlOf: ({ headers }) => baseUrlOf(settings, headers.host),
    settle: (world) => clocks.running.runDueJobs(world),
    durable,
  };
  const onExchange = (exchange: Exchange) => requests.record(exchange);
  const faults = new FaultInjector({ document: service.document, settings, log, closing });
  const mounted = {
    service: { pipeline: service.pipeline, onExchange, faults },
    control: { pipeline: control.pipeline },
    page: undefined,
  };
  const handle = createApp({
    apiFor: (path) => mounted[ownerOfPath(path)],
    otherwise: createFallback({
      '/_emulator/inbox': createInboxRouter({ inboxes, settings, machine, closing }),
      '/hosted': createPages(pages),
      [INSPECTOR_PATH]: createInspector({ ...pages, services, touch }),
      [DOCUMENTATION_PATH]: createDocumentation(settings, log),
    }),
  });

  for (const [sandbox, made] of Object.entries(data?.made ?? {})) worlds.admit(sandbox, made);
  for (const key of data?.keys ?? []) worlds.find(key);
  isLoading = false;
  data?.keep(worlds);

  let server: ListeningServer | undefined;
  return {
    settings,
    worlds,
    requests,
    clocks,
    dispatcher,
    inboxes,
    handle,
    targetOf: targets.waiting,
    async listen() {
      server = await listenOn(handle, settings);
      own.listensOn(server.port);
      return server.url;
    },
    async close() {
      clocks.running.stop();
      closed.abort();
      dispatcher.close();
      await server?.close();
      await data?.close();
    },
  };
}
