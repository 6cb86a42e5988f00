import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TestServer = Awaited<ReturnType<typeof startServer>>;

/** For tests: a server on loopback, which never keeps the process alive. */
export async function startServer(listener: RequestListener, wanted = 0) {
  const server = createServer(listener).listen(wanted, '127.0.0.1').unref();
  // Clients of this process would take a connection for open that ended while both were busy.
  server.keepAliveTimeout = 0;
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Without a slash at its end. */
    url: `http://127.0.0.1:${port}`,
    port,
    /** Ends every connection and stops listening. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
