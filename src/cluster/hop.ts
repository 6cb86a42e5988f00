import type { IncomingMessage } from 'node:http';
import { tokenOf } from '../config/access.ts';
import type { Settings } from '../config/settings.ts';
import { isHoldingBody, isSecure, markForwarded } from '../http/connection.ts';
import { carriesToken, equalsToken } from '../http/credentials.ts';
import { ADMIN_HEADER } from '../spec/header-names.ts';

/**
 * The header of a request that an emulator forwards: the secret of the database and, behind a space, what was found out
 * about the request. In a response it says that the world is not held there.
 */
export const HOP_HEADER = 'x-emulator-hop';
export const NOT_HELD = 'not-held';
/** The header of a request that asks an emulator to give a world back: its key. */
export const HAND_OVER_HEADER = 'x-emulator-hand-over';

const HAS_TOKEN = 'token';
const HOLDS_BODY = 'expect';
const BY_HTTPS = 'https';
const ADMIN = ADMIN_HEADER.toLowerCase();

/** Headers that are of one connection only, and those that the hop carries in its own way. */
const OF_CONNECTION = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'expect'],
  HOP_HEADER,
]);

/** Names and values by turns, as `rawHeaders` has them, without those that the next connection has of its own. */
function ofMessage(raw: readonly string[], isDropped: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let place = 0; place < raw.length; place += 2) {
    const name = raw[place] as string;
    const key = name.toLowerCase();
    if (!OF_CONNECTION.has(key) && !isDropped(key)) kept.push(name, raw[place + 1] as string);
  }
  return kept;
}

/** Passes on that a request was checked here, and recognises those that were checked elsewhere. */
export class Hop {
  constructor(
    private readonly secret: string,
    private readonly settings: Settings,
  ) {}

  /** Recognises a forwarded request. The admin token was checked where it arrived, so it carries the one of this emulator. */
  receive(request: IncomingMessage): void {
    const { headers } = request;
    const given = headers[HOP_HEADER];
    if (given === undefined) return;
    delete headers[HOP_HEADER];
    const [secret = '', ...found] = String(given).split(' ');
    if (!equalsToken(secret, this.secret)) return;
    markForwarded(request, found.includes(BY_HTTPS));
    const token = tokenOf(this.settings);
    if (found.includes(HAS_TOKEN) && token !== '') headers[ADMIN] = token;
    if (!found.includes(HOLDS_BODY)) delete headers['expect'];
  }

  /** The headers of a request as it is forwarded. Its body is sent once the other emulator asks for it. */
  headersOf(request: IncomingMessage, hasBody: boolean): string[] {
    const found = [this.secret];
    const hasToken = carriesToken(request, this.settings);
    if (hasToken) found.push(HAS_TOKEN);
    if (isHoldingBody(request)) found.push(HOLDS_BODY);
    if (isSecure(request)) found.push(BY_HTTPS);
    const headers = ofMessage(request.rawHeaders, (name) => hasToken && name === ADMIN);
    if (request.headers.host === undefined) headers.push('Host', 'localhost');
    if (hasBody) headers.push('Expect', '100-continue');
    return [...headers, HOP_HEADER, found.join(' ')];
  }

  /** The headers of a request to give a world back. */
  headersToHandOver(key: string): Record<string, string> {
    return { [HOP_HEADER]: this.secret, [HAND_OVER_HEADER]: key };
  }
}

/** The headers of a response as it is passed back. */
export const headersBack = ({ rawHeaders }: IncomingMessage, without = ''): string[] =>
  ofMessage(rawHeaders, (name) => name === 'transfer-encoding' || name === without);
