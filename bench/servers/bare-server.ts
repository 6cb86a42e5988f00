import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** The upper bound of speed: responds with prepared bytes of the emulator. Parses bodies and ignores them. */
const [port, folder] = process.argv.slice(2);
const bytes = (name: string) => readFileSync(`${folder}/${name}.json`);
const created = { status: 201, body: bytes('created') };
const page = { status: 200, body: bytes('page') };
const one = { status: 200, body: bytes('one') };
const accepted = { status: 204, body: Buffer.of() };

const answers: Readonly<Record<string, typeof one>> = {
  'GET /customers': page,
  'POST /customers': created,
  'POST /events': accepted,
};

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    const { status, body } = answers[`${request.method} ${request.url}`] ?? one;
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    });
    response.end(body);
  });
}).listen(Number(port), '127.0.0.1');
