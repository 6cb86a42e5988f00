import { once } from 'node:events';
import { createServer, Server as HttpServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export type TestServer = Awaited<ReturnType<typeof startServer>>;

/** For tests: a server on loopback, of HTTP or of what else is given, which never keeps the process alive. */
export async function startServer(served: RequestListener | Server, wanted = 0) {
  const server = typeof served === 'function' ? createServer(served) : served;
  // Clients of this process would take a connection for open that ended while both were busy.
  if (server instanceof HttpServer) server.keepAliveTimeout = 0;
  server.listen(wanted, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Without a slash at its end. */
    url: `http://127.0.0.1:${port}`,
    port,
    /** Ends every connection of HTTP and stops listening. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if (server instanceof HttpServer) server.closeAllConnections();
      }),
  };
}
