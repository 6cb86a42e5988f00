import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ADMIN_HEADER, controlGuard } from './control/access.ts';
import type { ControlContext, ControlId, Steering } from './control/context.ts';
import { createInboxRouter } from './control/inbox.ts';
import { controlHandlers } from './control/index.ts';
import { WorldStates } from './control/world-states.ts';
import { instant } from './domain/instant.ts';
import { createApp } from './http/app.ts';
import { authenticator, headerNames } from './http/credentials.ts';
import { Door, type GivenReply, type Run } from './http/door.ts';
import type { Exchange } from './http/exchange.ts';
import { createFallback } from './http/fallback.ts';
import { prefersText as wantsWords } from './http/preference.ts';
import { RequestLog } from './http/request-log.ts';
import { createStage } from './http/stage.ts';
import { topUpAtOnce } from './jobs/at-once.ts';
import { settleDue } from './jobs/due.ts';
import { WorldClocks } from './jobs/world-clocks.ts';
import type { Context, Handlers } from './resources/context.ts';
import { handlers as ownHandlers } from './resources/index.ts';
import { fixturesIn, readFixture } from './seed/read.ts';
import { replay } from './seed/replay.ts';
import type { Stage } from './seed/stage.ts';
import { loadDocument } from './spec/document.ts';
import type { OperationId } from './spec/operations.ts';
import { validatorsOf } from './spec/validators.ts';
import { type ClockState, type MachineTime, machineTime } from './state/clock.ts';
import { createLogger, type Logger } from './state/log.ts';
import type { Persistence } from './state/persistence.ts';
import { type GivenSettings, readSettings, type Settings } from './state/settings.ts';
import type { CommitListener, World, WorldImage } from './state/world.ts';
import { DEFAULT_SANDBOX, Worlds } from './state/worlds.ts';
import { createDocumentation, DOCUMENTATION_PATH } from './web/documentation/documentation.ts';
import { createInspector, INSPECTOR_PATH } from './web/inspector/inspector.ts';
import { createPages, type PagesOptions } from './web/pages.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';
import type { Resolve } from './webhooks/egress.ts';
import { Inboxes } from './webhooks/inbox.ts';
import { createOwnAddress } from './webhooks/own-address.ts';
import { createPoster } from './webhooks/post.ts';

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
  stageOf(world: World): Stage;
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
}: EmulatorOptions = {}): Emulator {
  const settings = readSettings(given);
  const log = givenLog ?? createLogger(settings);
  const document = loadDocument('openapi');
  const validators = validatorsOf(document);
  const worlds = new Worlds(settings, machine, startClock(settings, machine), {
    opened: (world, image) => open(world, image),
    closed(world) {
      dispatcher.detach(world);
      clocks.running.forget(world);
      world.close();
    },
  });
  const requests = new RequestLog({
    count: settings.request_log,
    bytes: settings.request_log_bytes,
  });
  const own = createOwnAddress(settings);
  const inboxes = new Inboxes();
  const poster = createPoster(resolve);
  const dispatcher = new Dispatcher({ settings, log, poster, inboxes, isOwn: own.covers });

  const closed = new AbortController();

  const run: Run = (operation, call, { world, owner }, { headers }) => {
    clocks.running.settle(world);
    const context: Context = {
      world,
      tables: world.tables,
      owner,
      now: world.now,
      settings,
      baseUrl: baseUrlOf(settings, headers.host),
    };
    const handler = handlers[operation.id as OperationId] as (
      call: unknown,
      context: Context,
    ) => never;
    const { value, changes } = world.observe(() =>
      world.commit<GivenReply>(() => handler(call, context)),
    );
    return kept({ ...value, changes });
  };

  let isFilling = false;

  /** An answer, once what it acknowledges is on disk where that is wanted. Fixtures do not wait. */
  function kept<T>(reply: T): T | Promise<Awaited<T>> {
    if (reply instanceof Promise) return reply.then((given) => kept(given) as Awaited<T>);
    const durable = isFilling ? undefined : data?.durable();
    return durable ? durable.then(() => reply as Awaited<T>) : reply;
  }

  const clocks = new WorldClocks({ settings, machine, log, deliveries: dispatcher });
  const states = new WorldStates({ worlds, clocks, prepare, furnish, presetFixture, fill });
  const names = headerNames(settings.service_name);
  const authenticate = authenticator(worlds, names);
  const door = new Door({ document, validators, settings, log, run, authenticate });

  const { signal: closing } = closed;
  const steering: Steering = {
    worlds,
    states,
    requests,
    clocks,
    dispatcher,
    settings,
    closing,
  };
  const controlDocument = loadDocument('control');
  const controlDoor = new Door({
    document: controlDocument,
    validators: validatorsOf(controlDocument),
    settings,
    log,
    authenticate,
    guard: controlGuard(settings),
    run(operation, call, { world, owner }, { headers }) {
      clocks.running.settle(world);
      const baseUrl = baseUrlOf(settings, headers.host);
      const prefersText = wantsWords(headers.accept);
      const context: ControlContext = { ...steering, world, owner, prefersText, baseUrl };
      const handler = controlHandlers[operation.id as ControlId] as (
        call: unknown,
        context: ControlContext,
      ) => never;
      if (operation.method !== 'GET') data?.touch();
      return kept(handler(call, context));
    },
  });

  let isLoading = true;

  function open(world: World, given?: WorldImage): void {
    prepare(world);
    const image = given ?? (isLoading ? data?.imageOf(world) : undefined);
    if (image) world.restore(image);
    else furnish(world);
    data?.touch();
    world.onCommit(() => data?.touch());
    world.onRestore(() => data?.touch());
    clocks.running.watch(world);
    dispatcher.attach(world);
  }

  /** Gives a world the rules that it lives by. */
  function prepare(world: World): void {
    world.afterCommit(() => topUpAtOnce(world, settings));
    if (onCommit) world.onCommit(onCommit);
  }

  function presetFixture(world: World): string {
    return isDefault(world) ? settings.fixture : settings.sandbox_fixture;
  }

  /** Fills a world that was never kept with its fixtures. */
  function furnish(world: World): void {
    const fixture = presetFixture(world);
    if (fixture !== '') fill(world, fixture);
    if (isDefault(world)) for (const file of fixturesIn(settings.init)) fill(world, file);
  }

  /**
   * Fills a world from a fixture, and does what fell due until the moment that its clock shows then.
   *
   * @assumes A-1303
   */
  function fill(world: World, fixture: string): void {
    const { state } = world.clock;
    isFilling = true;
    try {
      const { scenario } = replay(readFixture(fixture), stageOf(world));
      if (scenario.clock === undefined || scenario.then === 'real') world.clock.state = state;
    } finally {
      isFilling = false;
    }
    settleDue(world, world.now, settings);
  }

  /** A stage that answers at once; deliveries are left to later. */
  function stageOf(world: World): Stage {
    return createStage({
      ...stageParts(world),
      advance(moment) {
        settleDue(world, moment, settings);
        world.clock.state = { mode: 'frozen', at: moment };
      },
    });
  }

  function waitingStageOf(world: World): Stage {
    return createStage({
      ...stageParts(world),
      advance: (moment) => clocks.advance(world, moment, 'to').then(() => {}),
      delivered: () => dispatcher.idle(world),
    });
  }

  function stageParts(world: World) {
    const headers = { [ADMIN_HEADER]: settings.admin_token };
    const doors = [
      { document, door },
      { document: controlDocument, door: controlDoor, headers },
    ];
    return { world, doors, names, baseUrl: `http://127.0.0.1:${settings.port}` };
  }

  const service = { door, onExchange: (exchange: Exchange) => requests.record(exchange) };
  const control = { door: controlDoor };
  const pages: PagesOptions = {
    worlds,
    settings,
    log,
    baseUrlOf: ({ headers }) => baseUrlOf(settings, headers.host),
    settle: (world) => clocks.running.settle(world),
  };
  const handle = createApp({
    entranceTo: (path) =>
      CONTROL_PATHS.test(path) ? control : isOwnPath(path) ? undefined : service,
    otherwise: createFallback({
      '/_emulator/inbox': createInboxRouter({ inboxes, settings, machine, closing: closed.signal }),
      '/hosted': createPages(pages),
      [INSPECTOR_PATH]: createInspector({
        ...pages,
        steering,
        touch: () => data?.touch(),
      }),
      [DOCUMENTATION_PATH]: createDocumentation(settings, log),
    }),
  });

  for (const key of data?.keys ?? []) worlds.find(key);
  isLoading = false;
  data?.keep(worlds);

  let server: Server | undefined;
  return {
    settings,
    worlds,
    requests,
    clocks,
    dispatcher,
    inboxes,
    handle,
    stageOf: waitingStageOf,
    async listen() {
      server = createServer(handle);
      const address = await listenOn(server, settings);
      own.listensOn((server.address() as AddressInfo).port);
      return address;
    },
    close() {
      clocks.running.stop();
      closed.abort();
      dispatcher.close();
      return closeServer(server).then(() => data?.close());
    },
  };
}

/** The control interface, without the pages and the inbox that stand below the same prefix. */
const CONTROL_PATHS = /^\/_emulator\/(?!(ui|docs|inbox)(\/|$))/;
const OWN_PATHS = /^\/(_emulator|hosted|livez|readyz)(\/|$)/;

/** Whether a path is the emulator's own, so that no document of the service names it. */
function isOwnPath(path: string): boolean {
  return path === '/' || OWN_PATHS.test(path);
}

function startClock(settings: Settings, machine: MachineTime): ClockState {
  if (settings.clock === 'real') return { mode: 'real' };
  const start =
    settings.clock_now === ''
      ? instant(new Date(machine()).toISOString())
      : instant(settings.clock_now);
  return settings.clock === 'frozen'
    ? { mode: 'frozen', at: start }
    : { mode: 'offset', offset_ms: Date.parse(start) - machine() };
}

function isDefault({ sandbox, environment }: World): boolean {
  return sandbox === DEFAULT_SANDBOX && environment === 'test';
}

const SANE_HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/;

function baseUrlOf(settings: Settings, host: string | undefined): string {
  if (settings.public_url !== '') return settings.public_url;
  return host !== undefined && SANE_HOST.test(host)
    ? `http://${host}`
    : `http://127.0.0.1:${settings.port}`;
}

function listenOn(server: Server, { host, port }: Settings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo;
      const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      resolve(`http://${name}:${address.port}`);
    });
  });
}

function closeServer(server: Server | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (!server) return resolve();
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 800).unref();
  });
}
