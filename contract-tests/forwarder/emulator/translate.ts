import { pairsOf, type Traffic } from '../traffic.ts';
import { KEY_HEADER, keyInHeader, type TwinExchange } from './exchange.ts';
import type { IdMap } from './id-map.ts';

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
    method,
    headers,
    target: ids.translate(target),
    body: isPacked ? body : translateBytes(body, ids),
  };
}

/** Translates a text body. Other bytes stay unchanged. */
function translateBytes(bytes: Buffer, ids: IdMap): Buffer {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? Buffer.from(ids.translate(text)) : bytes;
}

/** Keys that the emulator accepts unchanged. */
const OWN_FORM = /^key_(test|live)_[a-z0-9][a-z0-9-]{0,62}$/;
const NOBODYS = 'nobody!';

/**
 * The emulator's key for each key of the service. Each accepted key has its own world, in the environment that it
 * names.
 */
export function createTwinKeys() {
  const known = new Map<string, string>();
  /** The key of an exchange's world; undefined when the service rejects the key. */
  const keyOf = ({ key, answer }: TwinExchange): string | undefined => {
    if (key === undefined) return undefined;
    if (!known.has(key) && answer?.status === 401) return undefined;
    const environment = /live/i.test(key) ? 'live' : 'test';
    const name = OWN_FORM.test(key) ? key : `key_${environment}_twin-${known.size + 1}`;
    known.set(key, known.get(key) ?? name);
    return known.get(key);
  };
  return {
    keyOf,
    /**
     * The value of a key header with the emulator's key; undefined for other headers. If a rejected request had two keys,
     * the second is one that the emulator rejects too.
     */
    inHeader(exchange: TwinExchange) {
      const key = keyOf(exchange) ?? NOBODYS;
      const second = exchange.answer?.status === 401 ? NOBODYS : key;
      return (name: string, value: string) => {
        if (!KEY_HEADER.test(name)) return undefined;
        const own = keyInHeader(value) === exchange.key ? key : second;
        return /^Bearer /i.test(value) ? `Bearer ${own}` : own;
      };
    },
  };
}
