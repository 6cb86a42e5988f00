import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived, its body not looked at. */
export interface RawRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RawReceiver {
  readonly url: string;
  /** In the order in which they arrived. */
  readonly requests: readonly RawRequest[];
  /** Ids of the events that arrived, in their order. */
  ids(): string[];
  close(): Promise<void>;
}

/** Answers a request, by its place in the order of arrival, with a status or by itself. */
export type RawAnswer = (
  place: number,
  request: RawRequest,
) => number | ((response: ServerResponse) => void);

/** For tests: listens on loopback, keeps what arrives and answers as told, 204 unless told. */
export async function listenRaw(answer: RawAnswer = () => 204, port = 0): Promise<RawReceiver> {
  const requests: RawRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const request = { path: incoming.url ?? '', headers: incoming.headers, body };
      requests.push(request);
      const given = answer(requests.length - 1, request);
      if (typeof given === 'number') response.writeHead(given).end();
      else given(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    ids: () => requests.map(({ body }) => (JSON.parse(body) as { id: string }).id),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
