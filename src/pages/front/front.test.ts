import { expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';
const KEY = 'key_test_emulator';

it.each(['/', '/_emulator'])('the front page is served to a browser: %s', async (path) => {
  const { http } = createTestClient();

  const { status, text, headers } = await http.get(path).set('Accept', BROWSER);

  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(text).toContain(KEY);
});

it.each(['/', '/_emulator'])(
  'the front page is a 404 for clients other than browsers: %s',
  async (path) => {
    const { http } = createTestClient();

    expect((await http.get(path)).status).toBe(404);
    expect((await http.get(path).set('Accept', 'application/json')).status).toBe(404);
    expect((await http.post(path).set('Accept', BROWSER)).status).toBe(404);
  },
);

it('the front page hides the key from requests that the control API would reject', async () => {
  const guarded = createTestClient({ admin_token: 'swordfish' });

  for (const path of ['/', '/_emulator'])
    expect((await guarded.http.get(path).set('Accept', BROWSER)).text).not.toContain(KEY);
  const foreign = createTestClient().http.get('/').set('Accept', BROWSER);
  expect((await foreign.set('Host', 'evil.example')).text).not.toContain(KEY);
});

it('the front page bills the first fee only once and shows its calculation', async () => {
  const { http, api } = createTestClient({ fixture: 'quickstart' });

  for (const _ of [1, 2]) {
    const { status, headers } = await http.post('/_emulator/ui/first-fee').type('form').send({});
    expect([status, headers['location']]).toEqual([303, '/_emulator#first-fee']);
  }

  const { text } = await http.get('/_emulator').set('Accept', BROWSER);
  const words = text.replaceAll(/<[^>]*>/g, '');
  expect(words).toContain('tokens 417,000×Large model $10.00÷per 1,000,000=fee, exact $4.17');
  expect(words).toContain('Paid from credit; $95.83 left.');
  const logged = await http.get('/_emulator/ui/requests?q=operation:submitEvents');
  expect(logged.text).toContain('2 in all');
  const path = { eventId: '68e8980c-fd79-46ea-be14-0e9f2be7df0a' };
  expect((await api('getEvent', { path })).fees[0].amount).toBe(4.17);
});

it('the front page offers the quickstart in an empty world', async () => {
  const { http } = createTestClient();
  await http.post('/_emulator/ui/first-fee').type('form').send({});

  const { text } = await http.get('/_emulator').set('Accept', BROWSER);
  expect(text).toContain('Load the quickstart');
});

it('the front page opens the portal of a customer', async () => {
  const { http } = createTestClient({ fixture: 'quickstart' });

  const { text } = await http.get('/').set('Accept', 'text/html');
  const [, customer] = /name="customer" value="([^"]*)"/.exec(text) ?? [];

  const answer = await http.post('/_emulator/ui/portal').type('form').send({ customer });

  expect(answer.status).toBe(303);
  expect((await http.get(String(answer.headers['location']))).text).toContain('Billing for');
});
