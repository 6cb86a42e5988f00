import type { IncomingHttpHeaders } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import type { MachineTime } from '../config/machine-time.ts';
import type { Settings } from '../config/settings.ts';
import { fromMillis } from '../domain/instant.ts';
import { carriesToken } from '../http/credentials.ts';
import { unavailable } from '../http/error-response.ts';
import { BadRequest } from '../http/input.ts';
import { emptyResponse, problem, type RawResponse } from '../http/message.ts';
import { pageOfBytes } from '../resources/paging.ts';
import type { World } from '../store/world.ts';
import { Unavailable } from '../store/worlds.ts';
import {
  differencesOf,
  envelopeOf,
  type Inboxes,
  type InboxMessage,
  type InboxQuery,
  isInboxName,
} from '../webhooks/inbox.ts';
import { headerTexts } from '../webhooks/post.ts';
import { answerOnceThere } from './wait-until.ts';

interface InboxOptions {
  readonly inboxes: Inboxes;
  readonly settings: Settings;
  readonly machine: MachineTime;
  /**
   * The world that the key of a request opens; undefined where it has none that is valid.
   *
   * @throws Unavailable where there is no room for it
   */
  readonly worldOf: (headers: IncomingHttpHeaders) => World | undefined;
  readonly closing: AbortSignal;
}

/**
 * The inboxes under `/_emulator/inbox`. They need the token where one is set. Sending needs no key, as who sends
 * webhooks has none. The messages of a world, such as the emulator's own deliveries, are shown to its key alone and
 * go with it; without a key, only those of no world are shown.
 *
 * @assumes A-1401
 */
export function createInboxRouter(options: InboxOptions): express.Router {
  const { inboxes, settings } = options;
  const scopeOf = (headers: IncomingHttpHeaders) => options.worldOf(headers) ?? null;
  const router = express.Router();
  router.use(admit(settings));
  router.param('name', (_request, _response, next, name: string) => {
    if (isInboxName(name)) next();
    else next(new BadRequest('A name has 1 to 64 letters, digits, dots and hyphens.'));
  });
  router.post('/:name', bodyOf(settings), put(options));
  router.get('/:name', ({ params: { name }, query, headers }, response) => {
    const { limit, offset, ...wanted } = readPagedQuery(query);
    const found = inboxes.find(name, { ...wanted, world: scopeOf(headers) });
    const items = pageOfBytes(found.toReversed().slice(offset, offset + limit), present);
    response.json({ items, total_count: found.length, limit, offset });
  });
  router.get('/:name/wait', async ({ params: { name }, query, headers }, response) => {
    const waited = { ...readPagedQuery(query), world: scopeOf(headers) };
    const { status, body } = await waitFor(options, name, waited);
    response.status(status).json(body);
  });
  router.delete('/:name', (request, response) => {
    inboxes.forget(scopeOf(request.headers), request.params.name);
    response.status(204).end();
  });
  router.use(refuseFailed(settings));
  return router;
}

function admit(settings: Settings): RequestHandler {
  const isOpen = settings.without_token.includes('inboxes');
  return (request, response, next) => {
    if (isOpen || carriesToken(request, settings)) next();
    else sendRaw(response, emptyResponse(401));
  };
}

const bodyOf = ({ limits }: Settings) =>
  express.raw({ type: () => true, inflate: false, limit: limits.MAX_EVENTS_BODY_BYTES });

function put({ inboxes, machine, worldOf }: InboxOptions): RequestHandler<{ name: string }> {
  return ({ params, headers, body }, response) => {
    inboxes.put({
      inbox: params.name,
      world: worldOf(headers),
      received_at: fromMillis(machine()),
      came_by: 'network',
      headers: headerTexts(headers),
      body: Buffer.isBuffer(body) ? body.toString('utf8') : '',
    });
    response.status(204).end();
  };
}

function waitFor({ inboxes, closing }: InboxOptions, name: string, query: PagedQuery) {
  return answerOnceThere({
    what: 'messages',
    count: query.count,
    seconds: query.timeout_seconds,
    closing,
    present,
    find: () => inboxes.find(name, query),
    watch: (review) =>
      inboxes.onArrival(({ inbox }) => {
        if (inbox === name) review();
      }),
    others: () => inboxes.find(name, { world: query.world }).toReversed(),
    differs: (message) => differencesOf(message, query),
  });
}

function present({ inbox: _, world: __, head: ___, body, ...rest }: InboxMessage) {
  return { ...rest, body, event: envelopeOf(body) ?? null };
}

const REFUSALS: Readonly<Record<number, (limit: number) => RawResponse>> = {
  400: () => problem(400, 'The message could not be read.'),
  413: (limit) => problem(413, `Expected at most ${limit} bytes.`),
  415: () => problem(415, 'Expected a message without Content-Encoding.'),
};

/** Responds with what is wrong with a request. */
export const refuseFailed =
  ({ limits }: Settings): ErrorRequestHandler =>
  (error: { readonly status?: number }, _request, response, next) => {
    const rejection = REFUSALS[error.status ?? 0];
    if (rejection) sendRaw(response, rejection(limits.MAX_EVENTS_BODY_BYTES));
    else if (error instanceof BadRequest) sendRaw(response, problem(400, error.message));
    else if (error instanceof Unavailable) sendRaw(response, unavailable(error));
    else next(error);
  };

export function sendRaw(response: Response, { status, headers, text }: RawResponse): void {
  response.status(status).set(headers).send(text);
}

interface PagedQuery extends InboxQuery {
  readonly limit: number;
  readonly offset: number;
  /** How many messages to wait for. */
  readonly count: number;
  readonly timeout_seconds: number;
}

const TEXTS = ['topic', 'id', 'contains'] as const;

/** Whole numbers by name: preset, least, most. */
const NUMBERS = {
  after: [0, 0, Number.MAX_SAFE_INTEGER],
  limit: [100, 1, 1000],
  offset: [0, 0, Number.MAX_SAFE_INTEGER],
  count: [1, 1, 1000],
  timeout_seconds: [10, 0, 60],
} as const;

type NumberName = keyof typeof NUMBERS;

/** Reads the query of a request. @throws BadRequest saying what is wrong with it */
function readPagedQuery(query: Readonly<Record<string, unknown>>): PagedQuery {
  const read: Record<string, unknown> = {};
  for (const [name, [preset]] of Object.entries(NUMBERS)) read[name] = preset;
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') throw new BadRequest(`${name}: expected one value.`);
    if (isNumberName(name)) {
      const [, least, most] = NUMBERS[name];
      const number = Number(value);
      if (!/^\d{1,16}$/.test(value) || number < least || number > most)
        throw new BadRequest(`${name}: expected a whole number from ${least} to ${most}.`);
      read[name] = number;
    } else if ((TEXTS as readonly string[]).includes(name)) read[name] = value;
    else throw new BadRequest(`${name}: there is no such parameter.`);
  }
  return read as unknown as PagedQuery;
}

const isNumberName = (name: string): name is NumberName => Object.hasOwn(NUMBERS, name);
