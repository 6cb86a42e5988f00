import { KEY_HEADER, type TwinExchange } from './exchange.ts';

/** Keys that the emulator takes as they are. */
const OWN_FORM = /^key_(test|live)_[a-z0-9][a-z0-9-]{0,62}$/;
const NOBODYS = 'nobody!';

/**
 * The keys of the emulator that stand for those of a service: each that it admits has a world of its own, in the
 * environment that it names.
 */
export function createTwinKeys() {
  const known = new Map<string, string>();
  /** The key of an exchange's world; undefined where the service admits none. */
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
    /** What a header of a request holds in the place of the service's key; undefined for other headers. */
    inHeader(exchange: TwinExchange) {
      const key = keyOf(exchange) ?? NOBODYS;
      return (name: string, value: string) => {
        if (!KEY_HEADER.test(name)) return undefined;
        return /^Bearer /i.test(value) ? `Bearer ${key}` : key;
      };
    },
  };
}
