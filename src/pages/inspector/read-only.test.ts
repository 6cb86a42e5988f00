import { expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';
import { seedBusyWorld } from '../../testing/inspected.ts';
import { PAGE_PATHS } from '../paths.ts';
import { ACTION_STEPS } from './actions.ts';

/** The paths of pages that are not about one record. */
const OWN = Object.values(PAGE_PATHS).filter((path) => !/:id|go/.test(path));

it('no page has a POST form if the setting ui is read-only', async () => {
  const client = createTestClient({ ui: 'read-only' });
  const pages = await seedBusyWorld(client, 'http://127.0.0.1:9/hook');

  for (const path of [...OWN, ...Object.values(pages)]) {
    const { status, text } = await client.http.get(`/_emulator/ui${path}`);
    expect([path, status, /method="post"/i.test(text)]).toEqual([path, 200, false]);
  }
});

it.each(Object.keys(ACTION_STEPS).map((path) => path.replace(/:\w+/, 'a')))(
  'POST %s returns 404 if the setting ui is read-only',
  async (path) => {
    const { http } = createTestClient({ ui: 'read-only' });

    expect((await http.post(`/_emulator/ui${path}`).type('form').send({})).status).toBe(404);
  },
);
