import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { equalsToken } from '../http/credentials.ts';
import { isSecure, type WholeResponse } from '../http/whole-response.ts';
import { Link } from './link.ts';

/** The header of the request for a link: the secret of the database. In a response it says that the world is not held there. */
export const HOP_HEADER = 'x-emulator-hop';
export const NOT_HELD = 'not-held';
/** The header of a request that asks an emulator to give a world back: its key. */
export const HAND_OVER_HEADER = 'x-emulator-hand-over';

/** The target of the CONNECT request for a link. It changes with the format of frames. */
const LINK_TARGET = 'emulator-link:3';

/** Headers that belong to one connection, and those that emulators use among themselves. */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  HOP_HEADER,
  HAND_OVER_HEADER,
]);

/** A request as it is forwarded: what came with it, and what was found out about it where it arrived. */
export interface ForwardedHead {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly isSecure: boolean;
  readonly hasBody: boolean;
}

/** The head of a response as it is passed back: names and values of headers by turns. */
export interface ReturnedHead {
  readonly status: number;
  readonly reason: string;
  readonly headers: string[];
}

/** Asks other emulators of the database for links, and recognises those that ask for one. */
export class Hop {
  constructor(private readonly secret: string) {}

  /** Asks the emulator at an address for a link. */
  connect(url: string, onEnd: () => void): Link {
    const link = new Link(() => {
      asked.destroy();
      onEnd();
    });
    const { hostname, port } = urlToHttpOptions(new URL(url));
    const headers = { [HOP_HEADER]: this.secret };
    const asked = httpRequest({
      agent: false,
      hostname,
      port,
      method: 'CONNECT',
      path: LINK_TARGET,
      headers,
    });
    asked.on('connect', ({ statusCode }, socket, first) => {
      if (statusCode === 200) link.connect(socket, first);
      else link.destroy();
    });
    asked.on('error', () => link.destroy()).end();
    return link;
  }

  /** Whether a request asks for a link, and knows the secret. */
  isFromEmulator({ url, headers }: IncomingMessage): boolean {
    return url === LINK_TARGET && equalsToken(String(headers[HOP_HEADER]), this.secret);
  }
}

/** A request as it is forwarded, without what is of its connection only. */
export function forwardedHead(request: IncomingMessage, hasBody: boolean): ForwardedHead {
  const headers: IncomingHttpHeaders = {};
  for (const name in request.headers)
    if (!OF_CONNECTION.has(name)) headers[name] = request.headers[name];
  const { method = 'GET', url = '/' } = request;
  return { method, url, headers, isSecure: isSecure(request), hasBody };
}

/** The head of a request to give a world back. */
export const handOverHead = (key: string): ForwardedHead => ({
  method: 'POST',
  url: '/',
  headers: { [HAND_OVER_HEADER]: key },
  isSecure: false,
  hasBody: false,
});

/** A whole response as text: a line for its head, then its body. */
export const wholeText = ({ text, ...head }: WholeResponse): string =>
  `${JSON.stringify(head)}\n${text}`;

/** Reads a whole response from its text. */
export function readWhole(payload: string): WholeResponse {
  const mark = payload.indexOf('\n');
  return { ...JSON.parse(payload.slice(0, mark)), text: payload.slice(mark + 1) };
}

/** Reads the head of a response as Node writes it, without what is of its connection only. */
export function readHead(text: string): ReturnedHead {
  const [first = '', ...lines] = text.split('\r\n');
  const [, status, reason = ''] = /^\S+ (\d+) ?(.*)$/.exec(first) ?? [];
  const headers: string[] = [];
  for (const line of lines) {
    const mark = line.indexOf(':');
    const name = line.slice(0, mark);
    const key = name.toLowerCase();
    if (key === HOP_HEADER || !OF_CONNECTION.has(key)) headers.push(name, line.slice(mark + 2));
  }
  return { status: Number(status), reason, headers };
}

/** The value of a header in a head. */
export function headerIn({ headers }: ReturnedHead, wanted: string): string | undefined {
  for (let place = 0; place < headers.length; place += 2)
    if (headers[place]?.toLowerCase() === wanted) return headers[place + 1];
  return undefined;
}
