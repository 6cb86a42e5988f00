import type { Settings } from '../config/settings.ts';

const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Knows the emulator's own addresses, so that it does not call itself over the network. */
export function createOwnAddress({ port, public_url }: Settings) {
  const named = public_url === '' ? undefined : new URL(public_url).origin;
  const ports = { 'http:': new Set([port]), 'https:': new Set<number>() };
  return {
    /** Adds the ports that it listens on. The configured port, which can be 0, stays valid for fixtures. */
    listensOn(actual: number, secure?: number): void {
      ports['http:'].add(actual);
      if (secure !== undefined) ports['https:'].add(secure);
    },
    covers(url: URL): boolean {
      if (url.origin === named) return true;
      const own = ports[url.protocol as keyof typeof ports] as ReadonlySet<number> | undefined;
      const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
      return own?.has(port) === true && LOOPBACK_NAME.test(url.hostname);
    },
  };
}
