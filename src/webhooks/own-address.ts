import type { Settings } from '../config/settings.ts';

const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Knows the emulator's own addresses, so that it does not call itself over the network. */
export function createOwnAddress({ port, public_url }: Settings) {
  const named = public_url === '' ? undefined : new URL(public_url).origin;
  const ports = new Set([port]);
  return {
    /** Adds the port that it listens on. The configured port, which can be 0, stays valid for fixtures. */
    listensOn(actual: number): void {
      ports.add(actual);
    },
    covers(url: URL): boolean {
      if (url.origin === named) return true;
      const isPort = ports.has(Number(url.port || 80));
      return url.protocol === 'http:' && isPort && LOOPBACK_NAME.test(url.hostname);
    },
  };
}
