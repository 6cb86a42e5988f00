import type { IncomingHttpHeaders } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Settings } from '../config/settings.ts';
import { fromMillis } from '../domain/instant.ts';
import { carriesToken } from '../http/admin-token.ts';
import { bare, problem, type RawResponse } from '../http/problem.ts';
import type { MachineTime } from '../state/clock.ts';
import type { World } from '../state/world.ts';
import { Unavailable } from '../state/worlds.ts';
import {
  envelopeOf,
  type Inboxes,
  type InboxMessage,
  isInboxName,
  missesOf,
} from '../webhooks/inbox.ts';
import { headerTexts } from '../webhooks/post.ts';
import { type InboxAsk, readInboxAsk } from './inbox-ask.ts';
import { pageOfBytes } from './page-of-bytes.ts';
import { answerOnceThere } from './wait-until.ts';

export interface InboxOptions {
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
 * The inboxes under `/_emulator/inbox`. They need no key, as who sends webhooks has none, and the token where one
 * is set; the emulator's own deliveries come another way. A key picks the messages of its world, which go with it.
 *
 * @assumes A-1401
 */
export function createInboxRouter(options: InboxOptions): express.Router {
  const { inboxes, settings, worldOf } = options;
  const router = express.Router();
  router.use(admit(settings));
  router.param('name', (_request, response, next, name: string) => {
    if (isInboxName(name)) next();
    else send(response, problem(400, 'A name has 1 to 64 letters, digits, dots and hyphens.'));
  });
  router.post('/:name', bodyOf(settings), put(options));
  router.get('/', (request, response) => {
    const items = countsIn(inboxes, worldOf(request.headers));
    response.json({ items, total_count: items.length });
  });
  router.get(
    '/:name',
    asked(options, ({ name, ask }) => listOf(inboxes, name, ask)),
  );
  router.get(
    '/:name/wait',
    asked(options, (call) => waitFor(options, call)),
  );
  router.delete('/:name', (request, response) => {
    const world = worldOf(request.headers);
    if (world) inboxes.forget(world, request.params.name);
    else inboxes.clear(request.params.name);
    response.status(204).end();
  });
  router.use(refuseFailed(settings));
  return router;
}

function admit(settings: Settings): RequestHandler {
  const isOpen = settings.without_token.includes('inboxes');
  return (request, response, next) => {
    if (isOpen || carriesToken(request, settings)) next();
    else send(response, bare(401));
  };
}

const bodyOf = ({ events_body_limit: limit }: Settings) =>
  express.raw({ type: () => true, inflate: false, limit });

function put({ inboxes, machine, worldOf }: InboxOptions): RequestHandler<{ name: string }> {
  return (request, response) => {
    const world = worldOf(request.headers);
    inboxes.put({ ...arrivalOf(request), world, received_at: fromMillis(machine()) });
    response.status(204).end();
  };
}

function countsIn(inboxes: Inboxes, world: World | undefined) {
  return inboxes
    .names()
    .map((name) => ({ name, count: inboxes.find(name, { world }).length }))
    .filter(({ count }) => count > 0);
}

interface Call {
  readonly name: string;
  readonly ask: InboxAsk;
}

interface JsonAnswer {
  readonly status: number;
  readonly body: object;
}

/** Answers a request whose query can be understood. */
function asked(
  { worldOf }: InboxOptions,
  answer: (call: Call) => JsonAnswer | Promise<JsonAnswer>,
) {
  return async (request: Request<{ name: string }>, response: Response): Promise<void> => {
    const ask = readInboxAsk(request.query);
    if (typeof ask === 'string') {
      send(response, problem(400, ask));
      return;
    }
    const world = worldOf(request.headers);
    const { status, body } = await answer({ name: request.params.name, ask: { ...ask, world } });
    response.status(status).json(body);
  };
}

function listOf(inboxes: Inboxes, name: string, ask: InboxAsk): JsonAnswer {
  const found = inboxes.find(name, ask);
  const { limit, offset } = ask;
  const items = [...found].reverse().slice(offset, offset + limit);
  return {
    status: 200,
    body: { items: pageOfBytes(items, present), total_count: found.length, limit, offset },
  };
}

function waitFor({ inboxes, closing }: InboxOptions, { name, ask }: Call) {
  return answerOnceThere({
    ...{ what: 'messages', count: ask.count, seconds: ask.timeout_seconds, closing, present },
    find: () => inboxes.find(name, ask),
    watch: (review) => inboxes.onArrival(review),
    others: () => inboxes.find(name, { world: ask.world }).toReversed(),
    differs: (message) => missesOf(message, ask),
  });
}

function present({ inbox: _, world: __, body, ...rest }: InboxMessage) {
  return { ...rest, body, event: envelopeOf(body) ?? null };
}

function arrivalOf(request: Request<{ name: string }>) {
  return {
    inbox: request.params.name,
    came_by: 'network' as const,
    headers: headerTexts(request.headers),
    body: Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '',
  };
}

const REFUSALS: Readonly<Record<number, (limit: number) => RawResponse>> = {
  400: () => problem(400, 'The message could not be read.'),
  413: (limit) => problem(413, `Expected at most ${limit} bytes (setting events_body_limit).`),
  415: () => problem(415, 'Expected a message without Content-Encoding.'),
};

const refuseFailed =
  ({ events_body_limit: limit }: Settings): ErrorRequestHandler =>
  (error: { readonly status?: number }, _request, response, next) => {
    const refusal = REFUSALS[error.status ?? 0];
    if (refusal) send(response, refusal(limit));
    else if (error instanceof Unavailable) send(response, problem(503, error.message));
    else next(error);
  };

function send(response: Response, { status, headers, text }: RawResponse): void {
  response.status(status).set(headers).send(text);
}
