import type { Settings } from '../config/settings.ts';

/** Where the emulator itself answers, so that it need not go over the network to reach itself. */
export interface OwnAddress {
  /** Takes note of the port that it really got; the one it was told, maybe 0, stays its own in fixtures. */
  listensOn(port: number): void;
  covers(url: URL): boolean;
}

const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export function createOwnAddress({ port, public_url }: Settings): OwnAddress {
  const named = public_url === '' ? undefined : new URL(public_url).origin;
  const ports = new Set([port]);
  return {
    listensOn(actual) {
      ports.add(actual);
    },
    covers(url) {
      if (url.origin === named) return true;
      const isPort = ports.has(Number(url.port || 80));
      return url.protocol === 'http:' && isPort && LOOPBACK_NAME.test(url.hostname);
    },
  };
}
