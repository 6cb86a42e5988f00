import { startServer } from './server.ts';

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** For tests: the site that sends customers to hosted pages and gets them back, on an origin of its own. */
export async function openShop() {
  const server = await startServer((request, response) => {
    if (request.url?.startsWith('/return'))
      response.writeHead(302, { Location: `http://localhost:${server.port}/thanks` });
    else response.setHeader('Content-Type', 'text/html');
    response.end(`<title>Shop</title><p>${request.url === '/failed' ? 'Not paid' : 'Thanks'}</p>`);
  });
  return {
    return_url: `${server.url}/return?order=7#done`,
    failure_url: `${server.url}/failed`,
    /** Where `return_url` sends on to, under yet another origin. */
    thanks: `http://localhost:${server.port}/thanks#done`,
    close: server.close,
  };
}
