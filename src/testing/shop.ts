import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** For tests: the site that sends customers to hosted pages and gets them back, on an origin of its own. */
export interface Shop {
  readonly return_url: string;
  readonly failure_url: string;
  /** Where `return_url` sends on to, under yet another origin. */
  readonly thanks: string;
  close(): void;
}

export async function openShop(): Promise<Shop> {
  const server: Server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    if (request.url?.startsWith('/return'))
      response.writeHead(302, { Location: `http://localhost:${port}/thanks` });
    else response.setHeader('Content-Type', 'text/html');
    response.end(`<title>Shop</title><p>${request.url === '/failed' ? 'Not paid' : 'Thanks'}</p>`);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    return_url: `http://127.0.0.1:${port}/return?order=7#done`,
    failure_url: `http://127.0.0.1:${port}/failed`,
    thanks: `http://localhost:${port}/thanks#done`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
