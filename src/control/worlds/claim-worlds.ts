import type { IncomingMessage, RequestListener } from 'node:http';
import { RETRY_SOON } from '../../http/error-answer.ts';
import { problem } from '../../http/problem.ts';
import type { HeaderNames } from '../../spec/header-names.ts';
import { DEFAULT_SANDBOX, keyOf } from '../../store/worlds.ts';

const DEFAULT_KEY = keyOf({ sandbox: DEFAULT_SANDBOX, environment: 'test' });

/**
 * Has the worlds of a request claimed before it is handled, where several emulators may share worlds. If one cannot be had,
 * the response is 503 and says who has it.
 */
export function claimingWorlds(
  handle: RequestListener,
  prepare: (key: string) => Promise<void> | undefined,
  names: HeaderNames,
): RequestListener {
  return (request, response) => {
    const waits = keysOf(request, names).flatMap((key) => prepare(key) ?? []);
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
