import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startServer } from './server.ts';

/** A request as received, with its body unparsed. */
export interface ReceivedRequest {
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
