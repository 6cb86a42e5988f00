import { once } from 'node:events';
import {
  createServer,
  Server as HttpServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { text } from 'node:stream/consumers';

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

/** A request as received, with its body unparsed. */
interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type RawReceiver = Awaited<ReturnType<typeof listenRaw>>;

/** Responds to a request, by its number in order of arrival, with a status or by itself. */
export type RawAnswer = (
  place: number,
  request: ReceivedRequest,
) => number | ((response: ServerResponse) => void);

/** For tests: listens on loopback, stores requests and responds as given. Default status: 204. */
export async function listenRaw(answer: RawAnswer = () => 204, port = 0) {
  const requests: ReceivedRequest[] = [];
  const { url, close } = await startServer(async (incoming, response) => {
    const body = await text(incoming);
    const request = { path: incoming.url ?? '', headers: incoming.headers, body };
    requests.push(request);
    const given = answer(requests.length - 1, request);
    if (typeof given === 'number') response.writeHead(given).end();
    else given(response);
  }, port);
  return {
    url: `${url}/hook`,
    /** In the order in which they arrived. */
    requests: requests as readonly ReceivedRequest[],
    /** Ids of the events that arrived, in their order. */
    ids: () => requests.map(({ body }) => (JSON.parse(body) as { id: string }).id),
    close,
  };
}

/** For tests: sends bytes over a connection of its own, and returns all that come back and how the connection ends. */
export async function exchangeBytes(url: string, request: string) {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const end = new Promise<string>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    socket.once('end', () => resolve('end'));
  });
  socket.write(request);
  return { end: await end, text };
}
