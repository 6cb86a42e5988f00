import { createServer } from 'node:http';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { createFallback } from './fallback.ts';

it('a page that cannot be loaded, or whose handler fails, responds 500 and does not end the process', async () => {
  const server = createServer(
    createFallback({
      '/failing': async () => async () => {
        throw new Error('the disk is gone');
      },
      '/missing': () => Promise.reject(new Error('the file is gone')),
    }),
  );

  const client = supertest(server);
  const statuses = [await client.get('/failing'), await client.get('/missing')];

  expect(statuses.map(({ status }) => status)).toEqual([500, 500]);
});
