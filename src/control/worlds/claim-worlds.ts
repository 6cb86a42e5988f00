import type { IncomingMessage, RequestListener } from 'node:http';
import { DEFAULT_KEY } from '../../config/access.ts';
import { RETRY_SOON } from '../../http/error-answer.ts';
import { problem } from '../../http/problem.ts';
import type { HeaderNames } from '../../spec/header-names.ts';
import type { IdleWorlds } from './idle-worlds.ts';

/** Gets worlds ready for requests. */
export interface WorldClaims {
  /** Gets the world of a key ready; undefined if there is nothing to wait for. */
  readonly prepare: (key: string) => Promise<void> | undefined;
  /** Gets the world ready that has the hosted page of a token, and returns its key; undefined if none has. */
  readonly prepareLinked: (token: string) => Promise<string | undefined>;
}

/**
 * Has the worlds of a request claimed before it is handled, where several emulators may share worlds, and in use until its
 * response has ended. If one cannot be had, the response is 503 and says who has it.
 */
export function claimingWorlds(
  handle: RequestListener,
  { prepare, prepareLinked }: WorldClaims,
  idle: IdleWorlds,
  names: HeaderNames,
): RequestListener {
  return (request, response) => {
    const keys = keysOf(request, names);
    const use = (key: string): void => void response.on('close', idle.use(key));
    for (const key of keys) use(key);
    const waits: Promise<unknown>[] = keys.flatMap((key) => prepare(key) ?? []);
    for (const token of tokensOf(request))
      waits.push(prepareLinked(token).then((key) => key !== undefined && use(key)));
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

/** The keys that a request names, in a header or, for pages, in its address; else the default one, which pages show. */
function keysOf(
  { headers, url = '' }: IncomingMessage,
  { apiKey }: HeaderNames,
): readonly string[] {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  const inPath = /[?&]key=([\w-]+)/.exec(url)?.[1];
  const named = [headers[apiKey.toLowerCase()], bearer, inPath].flatMap((key) => key ?? []);
  return named.length > 0 ? named : [DEFAULT_KEY];
}

/** The tokens in the path of a hosted page: each part of it that may be one. */
function tokensOf({ url = '' }: IncomingMessage): readonly string[] {
  const [path = ''] = url.split('?');
  return path.startsWith('/hosted/') ? path.split('/').filter((part) => part.length >= 16) : [];
}
