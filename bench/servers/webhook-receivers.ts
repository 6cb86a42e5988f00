import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Webhook receivers in a child process: `/healthy`, `/slow` takes a second, `/flapping` rejects every second
 * request, `/dead` never responds.
 */
let requests = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    requests += 1;
    const answer = (status: number) => response.writeHead(status).end();
    const path = request.url ?? '/';
    if (path.startsWith('/dead')) return;
    if (path.startsWith('/slow')) setTimeout(answer, 1000, 204);
    else if (path.startsWith('/flapping')) answer(requests % 2 === 0 ? 204 : 503);
    else answer(204);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit());
