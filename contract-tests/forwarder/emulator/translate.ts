import { type ExactValue, parseExactValue, textsIn } from '../../kit/exact-json.ts';
import { pairsOf, type Traffic } from '../traffic.ts';
import { type IdMap, tokensIn } from './id-map.ts';

/** A request as it is sent to the emulator. */
export interface EmulatorRequest {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

type Asked = Pick<Traffic, 'method' | 'target' | 'rawRequestHeaders' | 'requestBody'>;

/** Headers that belong to the original connection. */
const OF_THE_WAY =
  /^(host|connection|keep-alive|proxy-.*|te|upgrade|transfer-encoding|content-length|accept-encoding|expect)$/i;

/** The request with the emulator's ids in place of the service's, and with another key. */
export function translateRequest(
  { method, target, rawRequestHeaders, requestBody }: Asked,
  ids: IdMap,
  keyOf: (name: string, value: string) => string | undefined,
): EmulatorRequest {
  const headers = pairsOf(rawRequestHeaders)
    .filter(([name]) => !OF_THE_WAY.test(name))
    .flatMap(([name, value]) => [name, keyOf(name, value) ?? ids.translate(value)]);
  const body = requestBody ?? Buffer.alloc(0);
  const isPacked = pairsOf(rawRequestHeaders).some(([name]) => /^content-encoding$/i.test(name));
  return {
    ...{ method, headers },
    target: ids.translate(target),
    body: isPacked ? body : translateBytes(body, ids),
  };
}

/** Translates a text body. Other bytes stay unchanged. */
function translateBytes(bytes: Buffer, ids: IdMap): Buffer {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? Buffer.from(ids.translate(text)) : bytes;
}

/** Everything in a request that can identify an object: whole texts, and the tokens in them. */
export function namesIn({ target, rawRequestHeaders, requestBody }: Asked): ReadonlySet<string> {
  const names = new Set<string>(tokensIn(target));
  for (const [, value] of queryOf(target)) names.add(value);
  for (const [name, value] of pairsOf(rawRequestHeaders))
    if (/^(x-.*-account|x-request-id)$/i.test(name)) names.add(value);
  for (const text of textsIn(read(requestBody))) {
    names.add(text);
    for (const token of tokensIn(text)) names.add(token);
  }
  return names;
}

export const queryOf = (target: string): URLSearchParams =>
  new URLSearchParams(target.split('?')[1] ?? '');

function read(body: Buffer | undefined): ExactValue | undefined {
  try {
    return body?.length ? parseExactValue(body.toString('utf8')) : undefined;
  } catch {
    return undefined;
  }
}
