import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { secretFile } from './config/access.ts';
import { type GivenSettings, readSettings } from './config/settings.ts';
import { startEmulator } from './embed/embedded.ts';
import { deriveToken } from './store/ids.ts';
import { storedSecret } from './store/storage/file-storage.ts';
import { memoryStorage, withSecret } from './store/storage/storage.ts';
import { URLS } from './testing/catalog.ts';
import { createTestClient, worldOf } from './testing/client.ts';
import { newFolder } from './testing/files.ts';

const SHARED = {
  'a host beyond loopback': { host: '0.0.0.0', admin_token: 'none' },
  'a token': { admin_token: 'swordfish' },
  'listed keys': { keys: ['key_test_emulator'] },
} as const;

/** What a new world makes with given settings: its identifiers, and everything that opens a door. */
async function drawn(settings: GivenSettings) {
  const client = createTestClient(settings);
  const headers = { 'X-Emulator-Admin': 'swordfish' };
  const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  const topUp = { customer_id: id, amount: 20, currency: 'USD', ...URLS };
  const link = await client.api('createTopUp', { body: topUp }, 201);
  const session = { customer_id: id, ...URLS };
  const portal = await client.api('createPortalSession', { body: session, headers });
  const visit = await client.http.get(new URL(portal.redirect_url).pathname).expect(303);
  const url = 'http://127.0.0.1:24100/_emulator/inbox/mine';
  const hook = await client.api('createWebhook', { body: { url } }, 201);
  const last = (address: string) => address.split('/').at(-1) as string;
  return {
    ids: [id, link.id, hook.id],
    doors: [
      last(link.redirect_url),
      last(portal.redirect_url),
      last(String(visit.headers['location'])),
      hook.secret,
    ] as const,
  };
}

describe('links, visits and signing secrets', () => {
  it('derive from the seed if nobody is to be kept out', async () => {
    const [one, two] = [await drawn({}), await drawn({})];
    const { accountId } = worldOf(createTestClient().emulator);
    const parts = ['emulator', 'test', accountId, 'payment link', 1];

    expect(one).toEqual(two);
    expect(one.doors[0]).toBe(deriveToken('billing-emulator', parts));
  });

  it.each(Object.entries(SHARED))(
    'are random with %s, and identifiers are not',
    async (_, given) => {
      const [open, one, two] = [await drawn({}), await drawn(given), await drawn(given)];
      const doors = [...open.doors, ...one.doors, ...two.doors];

      expect(new Set(doors).size).toBe(12);
      expect([one.ids, two.ids]).toEqual([open.ids, open.ids]);
    },
  );

  it('derive from the setting secret if it is set', async () => {
    const secret = 'of-one-team';
    const [open, one] = [await drawn({ secret }), await drawn({ ...SHARED['a token'], secret })];

    expect(one).toEqual(open);
    expect(one.doors[0]).not.toBe((await drawn({})).doors[0]);
  });
});

describe('a random secret', () => {
  const settings = readSettings(SHARED['a token']);
  const besides = (data: string) => ({ secret: () => storedSecret(secretFile(data)) });

  it('is kept beside the data, readable by its owner alone', () => {
    const data = join(newFolder(), 'state.json');
    const { secret } = withSecret(settings, besides(data));

    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(withSecret(settings, besides(data)).secret).toBe(secret);
    expect(readFileSync(`${data}.secret`, 'utf8')).toBe(`${secret}\n`);
    expect(statSync(`${data}.secret`).mode & 0o777).toBe(0o600);
    expect(withSecret(settings, memoryStorage).secret).not.toBe(secret);
  });

  it('stops the start if its file is damaged or cannot be used', async () => {
    const data = join(newFolder(), 'state.json');
    writeFileSync(`${data}.secret`, 'short');

    await expect(
      startEmulator({ settings: { ...SHARED['a token'], data, port: 0 } }),
    ).rejects.toThrow(
      `${data}.secret: expected 43 characters of base 64. Delete it for a new secret.`,
    );
    expect(() => withSecret(settings, besides('/nowhere/state.json'))).toThrow(
      '/nowhere/state.json.secret cannot be written: ENOENT',
    );
  });
});
