import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { anEvent, nextUuid } from '../../testing/catalog.ts';
import { createTestClient, worldOf } from '../../testing/client.ts';
import { CurrentRequest, type InspectorRequest } from './inspector-request.ts';
import { ListView, readListing } from './listing.tsx';
import type { List } from './search/list.ts';

it('a list is exported as CSV and as JSON: all rows, as the interface gives them', async () => {
  const client = createTestClient();
  const name = '=Acme, "the" shop';
  const { id } = await client.api('createCustomer', { body: { name } }, 201);
  for (let place = 1; place <= 50; place += 1)
    await client.api('createCustomer', { body: { name: `Shop ${place}` } }, 201);
  const gift = { transaction_id: nextUuid(), asset: 'USD', amount: 1234.5, reason: 'gift' };
  const path = { customerId: id };
  await client.api('adjustWallet', { path, body: gift }, 201);

  const csv = await client.http.get('/_emulator/ui/customers?format=csv');
  const json = await client.http.get('/_emulator/ui/customers?format=json&q=customer:*acme*');

  expect(csv.headers['content-type']).toContain('text/csv');
  const [head, ...rows] = csv.text.trimEnd().split('\r\n');
  expect(head).toBe(
    'id,name,active_subscription_count,created_at,metadata,subscriptions,external_accounts,revenue,cost,currency,balance.USD',
  );
  expect(rows).toHaveLength(51);
  expect(rows.at(-1)).toBe(
    `${path.customerId},"'=Acme, ""the"" shop",0,2026-01-15T12:00:00.000Z,,,,0,0,USD,1234.5`,
  );
  expect(JSON.parse(json.text)).toEqual([await client.api('getCustomer', { path })]);
  const requests = await client.http.get('/_emulator/ui/requests?format=json');
  expect(JSON.parse(requests.text).at(-1)).toMatchObject({ method: 'POST', status: 201 });
});

it.each([
  ['+HYPERLINK("http://evil.example")', `"'+HYPERLINK(""http://evil.example"")"`],
  ["-2+3+cmd|' /C calc'!A0", `'-2+3+cmd|' /C calc'!A0`],
  ['\r=1', `"\r'=1"`],
  ['a;=1+1;b', `"a;'=1+1;b"`],
  ['a\t @SUM(1)', `"a\t '@SUM(1)"`],
  ['a;b', '"a;b"'],
  ['a;-5', '"a;-5"'],
  ['-5', '-5'],
  ['+49 30 1234', '+49 30 1234'],
])('a CSV file has no formula of a name: %s', async (name, cell) => {
  const client = createTestClient();
  await client.api('createCustomer', { body: { name } }, 201);

  const { text } = await client.http.get('/_emulator/ui/customers?format=csv');

  expect(text.split('\r\n')[1]).toContain(`,${cell},0,2026-01-15T12:00:00.000Z,`);
});

it('a list shows times below their day', async () => {
  const client = createTestClient();
  await client.api('createCustomer', { body: { name: 'Acme' } }, 201);

  const { text } = await client.http.get('/_emulator/ui/requests');

  expect(text).toContain('>Thursday 15 January 2026</time>');
  expect(text).toContain('>12:00:00<span class="fine">.000</span></time>');
});

it('the list of requests says how many of all are kept', async () => {
  const client = createTestClient({ limits: { MAX_LOGGED_REQUESTS: 2 } });
  const counted = async () => {
    await client.api('listVendors');
    const { text } = await client.http.get('/_emulator/ui/requests');
    return /data-testid="count">([^<]*)/.exec(text)?.[1];
  };

  expect([await counted(), await counted(), await counted()]).toEqual([
    '1 in all',
    '2 in all',
    'The newest 2 of 3 requests are kept',
  ]);
});

it('browsers get the icon without a key', async () => {
  const { status, headers } = await createTestClient().http.get('/favicon.ico');

  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
});

/** A list of numbered rows, the latest last, and its text on the page of a request with these queries. */
async function textOfNumbered(count: number, queries: Readonly<Record<string, string>>) {
  const request = {
    world: worldOf(createTestClient().emulator),
    query: (name: string) => queries[name] ?? '',
    link: () => '/',
    here: () => '/',
  } as unknown as InspectorRequest;
  const rows = Array.from({ length: count }, (_, place) => ({ number: place + 1 }));
  const list: List<Numbered> = {
    section: 'usage',
    label: 'Rows',
    empty: 'None.',
    rows: () => rows,
    fields: { name: ({ number }) => [number === 2 || number === 3 ? 'wanted' : 'other'] },
    present: (row) => row,
    columns: () => ({ Number: ({ number }) => `row ${number}` }),
    orders: { Number: ({ number }) => number },
  };
  const counts = { groups: [], search: '', byQuery: new Map() };
  const view = h(ListView<Numbered>, { ...(await readListing(list, request)), counts });
  return renderToString(h(CurrentRequest.Provider, { value: request }, view));
}

interface Numbered {
  readonly number: number;
}

const rowsIn = (html: string): (string | undefined)[] =>
  [...html.matchAll(/<th scope="row"[^>]*>([^<]*)/g)].map(([, cell]) => cell);

it.each([
  [20_000, 'row 1', true],
  [20_001, 'row 20001', false],
])('a list of %i rows is sorted, unless it has too many', async (count, first, isSorted) => {
  const text = await textOfNumbered(count, { sort: 'Number' });

  expect(rowsIn(text)[0]).toBe(first);
  expect(text.includes('aria-sort')).toBe(isSorted);
});

it.each([
  ['name:wanted', '', '1 among the newest 2,000 of 2,002.', ['row 3']],
  ['name:wanted', 'all', '2 of 2,002', ['row 3', 'row 2']],
  ['nam:wanted', '', '0 of 2,002', []],
])(
  'a search by known fields covers the newest rows, or all on request: %j, %j',
  async (q, search, said, found) => {
    const text = await textOfNumbered(2_002, { q, search });

    expect(text.replaceAll(/<[^>]*>/g, '')).toContain(said);
    expect(rowsIn(text)).toEqual(found);
  },
);

it('a filter narrows the search, in place of others of its group, and says how many rows are left', async () => {
  const client = createTestClient();
  await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  await client.api('createCustomer', { body: { name: '' } }, 422);
  await client.api('listCustomers');
  const chips = async (q: string) => {
    const { text } = await client.http.get(`/_emulator/ui/requests?q=${q}`);
    const found = text.matchAll(
      /class="chip" href="[^"?]*(?:\?q=)?([^"]*)"( aria-current="true")?><bdi>([^<]*)<\/bdi><span class="muted">(\d+)/g,
    );
    return [...found].map(([, href = '', isChosen, name, count]) =>
      [name, count, decodeURIComponent(href.replaceAll('+', ' ')), isChosen && 'chosen'].join(' '),
    );
  };

  expect(await chips('method:post status:2*')).toEqual([
    'All 3  ',
    '2xx 1 method:post chosen',
    '4xx 1 method:post status:4* ',
    'GET 1 status:2* method:get ',
    'POST 1 status:2* chosen',
    'Changed something 1 method:post status:2* changed:yes ',
  ]);
  const all = await chips('');
  expect(await chips('colour:red')).toEqual(['All 3  ', ...all.slice(1)]);
});

it('usage with a warning is found by its kind and customer, and on the overview', async () => {
  const client = createTestClient();
  for (const name of ['Acme', 'Globex']) {
    const { id } = await client.api('createCustomer', { body: { name } }, 201);
    await client.api('submitEvents', { body: { customer_id: id, events: [anEvent()] } }, 204);
  }

  const { text } = await client.http.get('/_emulator/ui/events?q=warning:* customer:globex');

  const [, table = ''] = /<tbody>(.*?)<\/tbody>/s.exec(text) ?? [];
  expect(table).toContain('Globex');
  expect(table).not.toContain('Acme');
  const overview = await client.http.get('/_emulator/ui');
  expect(overview.text).toMatch(/2 warnings: [a-z ]+<.*Of Globex, Acme; latest: /s);
});

it('a warning about a webhook destination leads to the webhooks', async () => {
  const client = createTestClient();
  const body = { url: 'http://127.0.0.1:9/hook', topics: ['no.such.topic'] };
  await client.api('createWebhook', { body }, 201);

  const { text } = await client.http.get('/_emulator/ui');

  expect(text).toContain('<a href="/_emulator/ui/webhooks">1 warning: unknown topic</a>');
  expect(text).toMatch(/Destination <a [^>]*>http:\/\/127\.0\.0\.1:9\/hook<\/a> subscribes/);
});
