import type { ServerResponse } from 'node:http';
import { DEFAULT_KEY } from '../config/access.ts';
import type { Settings } from '../config/settings.ts';
import type { RoutedExchange, Sharing } from '../http/app.ts';
import { keyIn } from '../http/credentials.ts';
import { RETRY_AT_ONCE, RETRY_SOON } from '../http/error-response.ts';
import { problem, type RawRequest, writeRaw } from '../http/message.ts';
import { routeKind } from '../http/router.ts';
import { isForwarded } from '../http/whole-response.ts';
import { headerNames } from '../spec/header-names.ts';
import type { PublicName, RemoteClaim, SharedWorlds } from '../store/storage/storage.ts';
import { inboxNameOf } from '../webhooks/inbox.ts';
import type { Outcome } from './forwarded.ts';
import type { Forwarder } from './forwarder.ts';
import { HAND_OVER_HEADER, HOP_HEADER, NOT_HELD } from './hop.ts';

/** The worlds of this emulator, as requests need them. */
export interface OwnWorlds {
  /** Gets the world of a key here, unless another emulator holds it: where it is then. */
  prepare(key: string): Promise<RemoteClaim | undefined> | RemoteClaim | undefined;
  /** The key of the world that a request without a key is for; undefined if there is none. */
  keyOfName(name: PublicName): Promise<string | undefined>;
  isValid(key: string): boolean;
  /** Opens the world of a key, which is prepared. */
  find(key: string): unknown;
}

export interface WorldUses {
  /** Notes that a request uses a world; returns a function that notes its end. */
  use(key: string): () => void;
}

interface SharingOptions {
  readonly settings: Settings;
  readonly forwarder: Forwarder;
  readonly shared: Pick<SharedWorlds, 'forget' | 'handOver'>;
  readonly own: OwnWorlds;
  readonly uses: WorldUses;
  readonly closing: AbortSignal;
}

/** Where the world of a request is: its key, if there is one, and the claim of another emulator. */
interface Place {
  readonly key?: string | undefined;
  readonly claim?: RemoteClaim | undefined;
}

/** How often a request is forwarded, if it has not begun where it was sent. */
const MAX_TRIES = 2;

const LOST =
  'The emulator that holds this world was lost while it handled the request. Try again: a retry with the same id finds what was done.';
const MOVING = 'This world is being passed on to another emulator. Try again.';
const STOPPING = 'The emulator is stopping, and another one takes over. Try again.';

/**
 * Has each request handled where its world is held: here, once it is claimed, or by another emulator. A request is forwarded
 * once at most; if its world is not held there any more, the database is asked once more.
 */
export class WorldSharing implements Sharing {
  readonly #nameOf: (request: RawRequest) => WorldName | undefined;
  /** The key of the world that keeps what belongs to none. */
  readonly #home: string;

  constructor(private readonly options: SharingOptions) {
    const { keys } = options.settings;
    this.#home =
      keys.length === 0 || keys.includes(DEFAULT_KEY) ? DEFAULT_KEY : (keys[0] as string);
    this.#nameOf = worldNamer(options.settings, (key) => options.own.isValid(key));
  }

  route(exchange: RoutedExchange): void {
    const { request, response, rawRequest } = exchange;
    if (this.options.closing.aborted && !rawRequest.path.startsWith('/livez')) {
      if (isForwarded(request)) refuseHop(response);
      else refuse(response, STOPPING, { ...RETRY_AT_ONCE, Connection: 'close' });
      return;
    }
    const handedOver = isForwarded(request) ? request.headers[HAND_OVER_HEADER] : undefined;
    if (handedOver !== undefined) {
      const end = () => void response.writeHead(204).end();
      void this.options.shared.handOver(String(handedOver)).then(end, end);
      return;
    }
    const name = this.#nameOf(rawRequest);
    const place = name ? this.#locate(name) : {};
    if (!(place instanceof Promise) && !place.claim) this.#handle(exchange, place);
    else
      this.#settle(exchange, name as WorldName, place).catch((error: Error) =>
        refuse(response, error.message, RETRY_SOON),
      );
  }

  #handle({ response, handle }: RoutedExchange, { key }: Place): void {
    if (key !== undefined) response.on('close', this.options.uses.use(key));
    handle();
  }

  async #settle(exchange: RoutedExchange, name: WorldName, located: Promise<Place> | Place) {
    const { forwarder, shared } = this.options;
    const { request, response } = exchange;
    let place = await located;
    let outcome: Outcome | undefined;
    for (let tries = 0; place.claim; tries += 1) {
      const { claim } = place;
      if (isForwarded(request)) return refuseHop(response);
      if (tries === MAX_TRIES)
        return outcome === 'moved'
          ? refuse(response, MOVING, RETRY_AT_ONCE)
          : refuse(response, unreachable(claim), RETRY_SOON);
      outcome = await forwarder.forward(request, response, claim);
      if (outcome === 'answered') return;
      shared.forget(claim);
      if (outcome === 'lost') return refuse(response, LOST, RETRY_SOON);
      if (outcome === 'spent') return refuse(response, MOVING, RETRY_AT_ONCE);
      place = await this.#locate(name);
    }
    this.#handle(exchange, place);
  }

  #locate(name: WorldName): Promise<Place> | Place {
    if ('of' in name) return this.#locatePublic(name);
    const { key } = name;
    const claim = this.options.own.prepare(key);
    return claim instanceof Promise
      ? claim.then((found) => ({ key, claim: found }))
      : { key, claim };
  }

  async #locatePublic(name: PublicName): Promise<Place> {
    const { own } = this.options;
    // All that is sent to an inbox of no world comes to one emulator.
    const other = name.of === 'inbox' ? this.#home : undefined;
    const key = (await own.keyOfName(name)) ?? other;
    if (key === undefined) return {};
    const claim = await own.prepare(key);
    if (!claim) own.find(key);
    return { key, claim };
  }
}

const unreachable = ({ holder }: RemoteClaim): string =>
  `This world is held by another emulator, ${holder}, which cannot be reached.`;

/** Tells the emulator that has forwarded a request that its world is not held here. */
const refuseHop = (response: ServerResponse): void =>
  void response.writeHead(503, { [HOP_HEADER]: NOT_HELD }).end();

function refuse(
  response: ServerResponse,
  detail: string,
  retry: Readonly<Record<string, string>>,
): void {
  if (response.headersSent || response.destroyed) return;
  response.req.resume();
  writeRaw(response, problem(503, detail, retry));
}

/** What names the world of a request: its key or, without one, what its path has. */
type WorldName = { readonly key: string } | PublicName;

const HOSTED = /^\/hosted\/(?:checkout|portal(?:\/visits)?)\/([^/]+)/;
const INBOXES = /^\/_emulator\/inbox\/?$/;
/** Pages that show a world: that of the key in their address, or the default one. */
const OF_WORLD = /^\/(_emulator(\/ui(\/.*)?)?\/?)?$/;
/** Pages that show examples of a world, if a key is in their address. */
const WITH_EXAMPLES = /^\/(_emulator\/docs(\/|$)|openapi)/;

/** Returns what names the world that decides where a request is handled; undefined if any emulator can handle it. */
function worldNamer(
  settings: Settings,
  isValid: (key: string) => boolean,
): (request: RawRequest) => WorldName | undefined {
  const names = headerNames(settings.service_name);
  return ({ path, search, headers }) => {
    // A link is for whoever has it, whatever key came with it.
    const token = HOSTED.exec(path)?.[1];
    if (token !== undefined) return { of: 'page', name: token };
    const key = keyIn(headers, names);
    if (routeKind(path) !== 'page') return key === undefined ? undefined : { key };
    const inbox = inboxNameOf(path.replace(/\/wait\/?$/, ''));
    if (inbox !== undefined) return key === undefined ? { of: 'inbox', name: inbox } : { key };
    if (INBOXES.test(path)) return { key: key ?? DEFAULT_KEY };
    const shown = new URLSearchParams(search).get('key') ?? '';
    if (OF_WORLD.test(path)) return { key: isValid(shown) ? shown : DEFAULT_KEY };
    return WITH_EXAMPLES.test(path) && shown !== '' ? { key: shown } : undefined;
  };
}
