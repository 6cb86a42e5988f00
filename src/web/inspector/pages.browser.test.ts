import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage } from '../../testing/browser.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { type RecordPages, seedBusyWorld, seedHostileWorld } from '../../testing/inspected.ts';
import { expectSoundViews } from '../../testing/views.ts';
import { ACTION_STEPS } from './actions.ts';
import { PAGES } from './pages.ts';
import { SECTIONS } from './sections.tsx';

let client: TestClient;
let base: string;
let busy: RecordPages;
let hostile: RecordPages;

beforeAll(async () => {
  client = createTestClient({ port: 0 });
  const url = await client.emulator.listen();
  base = `${url}/_emulator/ui`;
  await save('empty');
  busy = await seedBusyWorld(client, `${url}/_emulator/inbox/shop`);
  await save('busy');
  hostile = await seedHostileWorld(client);
  await client.control('flushDeliveries', {}, 200);
  await save('furnished');
});

const save = (name: string) => client.control('saveSnapshot', { body: { name } }, 201);

afterAll(async () => {
  await client.emulator.close();
});

/** Every page of the inspector in a world with some of everything, hostile text among it. */
const VIEWS: Readonly<Record<string, () => string>> = {
  overview: () => '',
  'front page': () => '/../../?sent=1',
  'empty live world': () => '?key=key_live_empty',
  'wrong key': () => '?key=wrong',
  requests: () => '/requests',
  request: () => busy.request,
  'request of hostile text': () => hostile.request,
  customers: () => '/customers',
  customer: () => busy.customer,
  'customer of hostile text': () => hostile.customer,
  ledger: () => '/ledger',
  products: () => '/products',
  product: () => busy.product,
  'product of hostile text': () => hostile.product,
  usage: () => '/events',
  'usage event': () => busy.event,
  'usage event of hostile text': () => hostile.event,
  webhooks: () => '/webhooks',
  'webhook event': () => busy.webhookEvent,
  clock: () => '/clock',
  snapshots: () => '/snapshots',
  comparison: () => '/snapshots/diff?from=busy',
  'comparison of hostile text': () => '/snapshots/diff?from=empty&to=furnished',
  'comparison of the same': () => '/snapshots/diff?from=furnished&to=furnished',
  'comparison with nothing': () => '/snapshots/diff?from=nowhere',
  faults: () => '/faults',
  profit: () => '/profit',
  warnings: () => '/warnings',
  assumptions: () => '/assumptions',
  worlds: () => '/worlds',
  'record of hostile text': () => hostile.grant,
  'id that is not there': () => '/go?id=cust_none',
  'search that knows no field': () => '/ledger?q=colour:red',
  'page not found': () => '/nothing',
};

it.each(Object.keys(PAGES))('the page %s is among those looked at', (path) => {
  const pattern = new RegExp(`^${path === '/' ? '' : path.replaceAll(/:\w+/g, '[^/]+')}$`);
  const addresses = Object.values(VIEWS).map((address) => address().split('?')[0] ?? '');

  expect(
    addresses.filter((address) => pattern.test(address)),
    path,
  ).not.toEqual([]);
});

it.each(Object.keys(SECTIONS))('the navigation leads to a page: %s', (path) => {
  expect(Object.keys(PAGES)).toContain(path || '/');
});

it.each(Object.entries(VIEWS))(
  'the page %s is accessible and fits, whatever it is seen on',
  (_name, path) => expectSoundViews((page) => page.goto(base + path())),
);

it.each(['World', 'Clock'])('the menu %s is accessible and fits', (name) =>
  expectSoundViews(async (page) => {
    await page.goto(`${base}/profit`);
    await page.locator('.bar summary').filter({ hasText: name }).click();
  }),
);

it('the page that says what a reset takes away is accessible and fits', () =>
  expectSoundViews(async (page) => {
    await page.goto(`${base}/snapshots`);
    await page.getByRole('button', { name: 'To nothing' }).click();
    await page.getByRole('heading', { level: 1, name: 'Reset this world?' }).waitFor();
  }));

it('the page that asks for the token is accessible and fits, and opens what was asked for', async () => {
  const guarded = createTestClient({ port: 0, admin_token: 'swordfish' });
  const address = `${await guarded.emulator.listen()}/_emulator/ui/customers`;
  await expectSoundViews((page) => page.goto(address));

  const page = await openPage();
  await page.goto(address);
  await page.getByLabel('Token of the control interface').fill('swordfish');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('heading', { name: 'Customers' }).waitFor();

  await page.context().close();
  await guarded.emulator.close();
});

describe('where it is read-only', () => {
  it('no page has anything to do but to search and to open a world', async () => {
    const readOnly = createTestClient({ ui: 'read-only' });
    const pages = await seedBusyWorld(readOnly, 'http://127.0.0.1:9/hook');
    const paths = ['', '/requests', '/customers', '/ledger', '/products', '/events', '/webhooks'];
    const others = [
      '/clock',
      '/snapshots',
      '/faults',
      '/profit',
      '/warnings',
      '/assumptions',
      '/worlds',
    ];

    for (const path of [...paths, ...others, ...Object.values(pages)]) {
      const { status, text } = await readOnly.http.get(`/_emulator/ui${path}`);
      expect([path, status, /method="post"/i.test(text)]).toEqual([path, 200, false]);
    }
  });

  it.each(Object.keys(ACTION_STEPS).map((path) => path.replace(/:\w+/, 'a')))(
    '%s is refused',
    async (path) => {
      const { http } = createTestClient({ ui: 'read-only' });

      expect((await http.post(`/_emulator/ui${path}`).type('form').send({})).status).toBe(404);
    },
  );
});
