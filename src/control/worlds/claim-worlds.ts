import type { IncomingMessage, RequestListener } from 'node:http';
import { DEFAULT_KEY } from '../../config/access.ts';
import { RETRY_SOON } from '../../http/error-answer.ts';
import { problem } from '../../http/problem.ts';
import type { HeaderNames } from '../../spec/header-names.ts';
import type { PublicName } from '../../store/storage/storage.ts';
import { inboxNameOf } from '../../webhooks/inbox.ts';
import type { IdleWorlds } from './idle-worlds.ts';

/** Gets worlds ready for requests. */
export interface WorldClaims {
  /** Gets the world of a key ready; undefined if there is nothing to wait for. */
  readonly prepare: (key: string) => Promise<void> | undefined;
  /** Gets the world ready that a request without a key is for, and returns its key; undefined if there is none. */
  readonly prepareNamed: (name: PublicName) => Promise<string | undefined>;
}

/**
 * Has the worlds of a request claimed before it is handled, where several emulators may share worlds, and in use until its
 * response has ended. If one cannot be had, the response is 503 and says who has it.
 */
export function claimingWorlds(
  handle: RequestListener,
  { prepare, prepareNamed }: WorldClaims,
  idle: IdleWorlds,
  names: HeaderNames,
): RequestListener {
  return (request, response) => {
    const { keys, publicNames } = worldsOf(request, names);
    const use = (key: string): void => void response.on('close', idle.use(key));
    for (const key of keys) use(key);
    const waits: Promise<unknown>[] = keys.flatMap((key) => prepare(key) ?? []);
    for (const name of publicNames)
      waits.push(
        prepareNamed(name).then((key) => {
          if (key !== undefined) use(key);
          // All that is sent to an inbox of no world comes to one emulator.
          else if (name.of === 'inbox') return prepare(DEFAULT_KEY);
        }),
      );
    if (waits.length === 0) {
      handle(request, response);
      return;
    }
    Promise.all(waits).then(
      () => handle(request, response),
      (error: Error) => {
        const { status, headers, text } = problem(503, error.message, RETRY_SOON);
        response.writeHead(status, headers).end(text);
      },
    );
  };
}

interface NamedWorlds {
  readonly keys: readonly string[];
  readonly publicNames: readonly PublicName[];
}

/** What a request names worlds by: its keys, else the name in its path, else the default key, which pages show. */
function worldsOf(request: IncomingMessage, names: HeaderNames): NamedWorlds {
  const [path = ''] = request.url?.split('?') ?? [];
  // A link is for whoever has it, whatever key came with it.
  if (path.startsWith('/hosted/')) return { keys: [], publicNames: tokensOf(path) };
  const keys = keysOf(request, names);
  if (keys.length > 0) return { keys, publicNames: [] };
  const inbox = inboxNameOf(path.replace(/\/wait\/?$/, ''));
  if (inbox === undefined) return { keys: [DEFAULT_KEY], publicNames: [] };
  return { keys: [], publicNames: [{ of: 'inbox', name: inbox }] };
}

/** The keys that a request names, in a header or, for pages, in its address. */
function keysOf(
  { headers, url = '' }: IncomingMessage,
  { apiKey }: HeaderNames,
): readonly string[] {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  const inPath = /[?&]key=([\w-]+)/.exec(url)?.[1];
  return [headers[apiKey.toLowerCase()], bearer, inPath].flatMap((key) => key ?? []);
}

/** The tokens in the path of a hosted page: each part of it that may be one. */
const tokensOf = (path: string): readonly PublicName[] =>
  path
    .split('/')
    .filter((part) => part.length >= 16)
    .map((name) => ({ of: 'page', name }));
