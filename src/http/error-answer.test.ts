import supertest from 'supertest';
import { expect, it } from 'vitest';
import { createEmulator } from '../main.ts';
import { handlers } from '../resources/index.ts';

const authorized = { Authorization: 'Bearer key_test_emulator' };

it('returns 400 for a page longer than the longest string, and keeps serving', async () => {
  const item = { id: 'vnd_1', name: 'x'.repeat(2 ** 20) };
  const items = Array.from({ length: 600 }, () => item);
  const large = { ...handlers, listVendors: () => ({ status: 200, body: { items } }) };
  const { handle } = createEmulator({
    settings: { fixture: '', log_level: 'silent' },
    handlers: large as unknown as typeof handlers,
  });

  const response = await supertest(handle).get('/vendors').set(authorized);

  expect(response.status).toBe(400);
  expect(response.body.detail).toContain('Request fewer items with `limit`.');
  expect((await supertest(handle).get('/customers').set(authorized)).status).toBe(200);
});

it('logs a defect in a world that was closed meanwhile, and returns 500', async () => {
  const defects: unknown[] = [];
  const log = {
    info: () => {},
    debug: () => {},
    error: (message: string) => defects.push(message),
  };
  const { handle, worlds } = createEmulator({
    ...{ settings: { fixture: '' }, log },
    handlers: {
      ...handlers,
      createVendor() {
        worlds.close('emulator');
        throw new TypeError('wrong');
      },
    },
  });
  const body = { name: 'Vendor' };
  const response = await supertest(handle).post('/vendors').set(authorized).send(body);

  expect(defects).toEqual(['Defect in createVendor (POST /vendors)']);
  expect(response.status).toBe(500);
});
