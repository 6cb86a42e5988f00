import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Starts a server on a free loopback port. */
export async function onLoopback(served: RequestListener | Server | SecureServer) {
  const server = typeof served === 'function' ? createServer(served) : served;
  // Clients in this process could reuse a connection that was closed while the process was busy.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Without a trailing slash. */
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    /** Closes every connection and stops listening. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
