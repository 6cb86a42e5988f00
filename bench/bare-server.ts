import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { report } from './load.ts';

/** The ceiling: a server that parses a body and echoes it, or answers a small object or a page of them. */
const customer = { id: 'cust_1', name: 'Acme', external_id: 'acme', active_subscription_count: 0 };
const page = {
  items: Array.from({ length: 100 }, () => customer),
  total_count: 100,
  limit: 100,
  offset: 0,
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body: unknown =
      chunks.length > 0
        ? JSON.parse(Buffer.concat(chunks).toString())
        : request.url === '/customers'
          ? page
          : customer;
    const text = JSON.stringify(body);
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
  });
});

server.listen(0, '127.0.0.1', () =>
  report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { customer: 'cust_1' }),
);
