import { once } from 'node:events';
import { createServer, Server as HttpServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export type TestServer = Awaited<ReturnType<typeof startServer>>;

/** For tests: a server on loopback, by default of HTTP, which never keeps the process alive. */
export async function startServer(served: RequestListener | Server, wanted = 0) {
  const server = typeof served === 'function' ? createServer(served) : served;
  // Clients in this process could reuse a connection that was closed while the process was busy.
  if (server instanceof HttpServer) server.keepAliveTimeout = 0;
  // Of more than Node's 511 connections at once, some wait for a second, and a few are reset.
  server.listen(wanted, '127.0.0.1', 4_096).unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Without a trailing slash. */
    url: `http://127.0.0.1:${port}`,
    port,
    /** Closes all HTTP connections and stops listening. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if (server instanceof HttpServer) server.closeAllConnections();
      }),
  };
}
