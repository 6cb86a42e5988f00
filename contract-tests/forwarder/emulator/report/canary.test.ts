import { describe, expect, it } from 'vitest';
import { onLoopback } from '../../../kit/loopback.ts';
import { aTwin, requestsTo } from '../../../testing/twin.ts';
import { twinMarkdown } from './markdown.ts';
import { verdictOf } from './verdict.ts';

const KEY = 'key_test_canary-key';
const LINK = 'https://shop.example/canary-link';
/** Personal data and secrets in the service's responses, both in their own fields and inside other fields. */
const PERSON = { email: 'canary@mail.example', secret: 'canary-secret', redirect_url: LINK };
const ANSWER = {
  ...{ id: 'cust_canary0001', name: 'Canary Name', ...PERSON },
  ...{ metadata: { about: `Canary Name ${KEY} ${LINK} canary@mail.example` }, 'canary-field': 1 },
  items: [{ id: 'cust_canary0002', name: 'Canary Other', ...PERSON }],
};

/** Everything that a twin writes about a service that responds with secrets to every request. */
async function writtenBy(showsValues: boolean) {
  const service = await onLoopback((asked, response) => {
    asked.resume();
    const status = asked.method === 'GET' ? 200 : 201;
    const headers = { 'Content-Type': 'application/json', 'X-Canary': KEY };
    response.writeHead(status, headers).end(JSON.stringify(ANSWER));
  });
  const twin = await aTwin(service.baseUrl, showsValues);
  const ask = requestsTo(twin.url, KEY);
  await ask('POST', '/customers', { name: 'Canary Name', email: PERSON.email });
  await ask('POST', '/webhooks', { url: LINK, 'canary-field': PERSON.secret });
  for (const path of ['/customers', '/vendors?external_id=canary-external', '/canary/path'])
    await ask('GET', path);
  const summary = await twin.end();
  service.close();
  expect(summary.differences).toBeGreaterThan(10);
  const lines = twin.lines.map((line) => JSON.stringify(line));
  const page = twinMarkdown(summary, verdictOf(summary, new Set()), service.baseUrl);
  return [...lines, JSON.stringify(summary.causes), page];
}

describe('the output of a twin', () => {
  it('contains no value of the traffic by default', async () => {
    const written = await writtenBy(false);

    expect(written.filter((text) => /canary/i.test(text))).toEqual([]);
  });

  it('contains values on request, but no key, link, secret or mail address', async () => {
    const texts = await writtenBy(true);
    const secrets = [KEY, 'canary-link', 'canary-secret', 'canary@mail.example'];

    expect(texts.join()).toContain('Canary Name');
    expect(secrets.filter((secret) => texts.join().includes(secret))).toEqual([]);
  });
});
