import { beforeAll, expect, it } from 'vitest';
import { URLS } from '../testing/catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from '../testing/client.ts';
import { crawl } from '../testing/crawl.ts';

/** Pages of a world that was filled by a click, beside what the interfaces answer. */
let client: TestClient;
let customers: readonly AnyBody[];

const key = 'key_test_people';
const UI = '/_emulator/ui';

beforeAll(async () => {
  client = createTestClient({ port: 0 });
  await client.http.post(`${UI}/populate?key=${key}`).type('form').send({});
  ({ items: customers } = await client.api('listCustomers', { key, query: { limit: 100 } }, 200));
});

const read = async (path: string): Promise<string> => {
  const { status, text } = await client.http.get(
    `${path}${path.includes('?') ? '&' : '?'}key=${key}`,
  );
  expect([path, status]).toEqual([path, 200]);
  return text;
};

const walletOf = async (customerId: string): Promise<readonly AnyBody[]> =>
  (await client.api('getWallet', { key, path: { customerId } }, 200)).accounts;

it('shows the balances, revenue and cost of each of 60 customers as the interface answers them', async () => {
  expect(customers).toHaveLength(60);
  for (const { id } of customers) {
    const stats = { key, path: { customerId: id } };
    const { gross_revenue, total_costs } = await client.api('getCustomerStats', stats, 200);
    const balances = (await walletOf(id)).map(({ asset, available }) => [
      `Balance ${asset}`,
      available,
    ]);

    expect(figuresIn(await read(`${UI}/customers/${id}`))).toEqual({
      ...Object.fromEntries(balances),
      Revenue: gross_revenue,
      Cost: total_costs,
    });
  }
});

it('shows each of them in the portal what the interface answers as the balances', async () => {
  for (const { id: customer_id } of customers) {
    const session = { key, body: { customer_id, ...URLS } };
    const { redirect_url } = await client.api('createPortalSession', session, 200);
    const { headers } = await client.http.get(new URL(redirect_url).pathname);
    const { text } = await client.http.get(String(headers['location']));

    const shown = [...text.matchAll(/data-testid="balance"[^>]*><data[^>]* value="([^"]*)"/g)];
    const balances = (await walletOf(customer_id)).map(({ available }) => available);
    expect(shown.map(([, value]) => Number(value))).toEqual(balances);
  }
});

it.each(['', '/profit'])('sums up revenue and cost as the interface does: %j', async (path) => {
  const query = { period_from: '2025-12-01', period_to: '2026-01-31' };
  const { summary } = await client.api('listCustomerStats', { key, query }, 200);

  expect(figuresIn(await read(UI + path))).toMatchObject({
    Revenue: summary.gross_revenue,
    Cost: summary.total_costs,
  });
});

it.each([
  ['/customers', 'api', 'listCustomers'],
  ['/events', 'api', 'listEvents'],
  ['/products', 'api', 'listProducts'],
  ['/ledger', 'control', 'listLedgerTransactions'],
  ['/warnings', 'control', 'listWarnings'],
] as const)('lists as many as the interface has: %s', async (path, which, operation) => {
  const { total_count } = await client[which](operation as never, { key }, 200);

  const [, shown = ''] = /data-testid="count">([\d,]+) in all/.exec(await read(UI + path)) ?? [];

  expect(Number(shown.replace(',', ''))).toBe(total_count);
});

it('leads nowhere that is not there', async () => {
  const url = await client.emulator.listen();

  const { addresses, broken } = await crawl(`${url}${UI}?key=${key}`);

  expect(broken).toEqual([]);
  expect(Object.keys(addresses)).toEqual(
    expect.arrayContaining(['customers one', 'events one', 'record grants', 'record vendors']),
  );
  await client.emulator.close();
});

/** The amounts that a page shows as figures, by their names; what is owed is no balance. */
function figuresIn(html: string): Record<string, number> {
  const [figures = ''] = /<dl class="figures">.*?<\/dl>/s.exec(html) ?? [];
  const pairs = figures.matchAll(/<dt>((?!Net)[^<]*)<\/dt><dd><data[^>]* value="([^"]*)"/g);
  return Object.fromEntries([...pairs].map(([, name = '', value]) => [name, Number(value)]));
}
