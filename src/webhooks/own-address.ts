import type { Settings } from '../config/settings.ts';

const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Where the emulator itself answers, so that it need not go over the network to reach itself. */
export function createOwnAddress({ port, public_url }: Settings) {
  const named = public_url === '' ? undefined : new URL(public_url).origin;
  const ports = new Set([port]);
  return {
    /** Takes note of the port that it really got; the one it was told, maybe 0, stays its own in fixtures. */
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
