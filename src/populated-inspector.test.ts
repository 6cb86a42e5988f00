import { beforeAll, expect, it } from 'vitest';
import type { AnyBody, TestClient } from './testing/client.ts';
import { POPULATED_KEY as key, openPopulatedWorld } from './testing/hosted.ts';

/** Compares the inspector of a populated world with the responses of the APIs. */
let client: TestClient;
let customers: readonly AnyBody[];

const UI = '/_emulator/ui';

beforeAll(async () => {
  ({ client, customers } = await openPopulatedWorld());
});

const read = async (path: string): Promise<string> => {
  const { status, text } = await client.http.get(
    `${path}${path.includes('?') ? '&' : '?'}key=${key}`,
  );
  expect([path, status]).toEqual([path, 200]);
  return text;
};

/** Returns the amounts in each row of all pages of a list, by the identifier that a pattern finds in the row. */
async function rowsOf(path: string, identifier: RegExp) {
  const rows = new Map<string, number[]>();
  for (let page = 1, isLast = false; !isLast; page += 1) {
    const text = await read(`${UI}${path}?page=${page}`);
    for (const row of text.split('<tr').slice(2)) {
      const values = [...row.matchAll(/<data[^>]* value="([^"]*)"/g)];
      const [, id] = identifier.exec(row) ?? [];
      if (id !== undefined)
        rows.set(
          id,
          values.map(([, value]) => Number(value)),
        );
    }
    isLast = !text.includes('rel="next"');
  }
  return rows;
}

/** Returns all items of a list operation. */
async function all(
  operation: 'listEvents' | 'listLedgerTransactions',
): Promise<readonly AnyBody[]> {
  const items: AnyBody[] = [];
  for (let total = 1; items.length < total; ) {
    const query = { limit: 1_000, offset: items.length };
    const page = await client.api(operation, { key, query });
    items.push(...page.items);
    total = page.total_count;
  }
  return items;
}

const walletOf = async (customerId: string): Promise<readonly AnyBody[]> =>
  (await client.api('getWallet', { key, path: { customerId } })).accounts;

it('the page of each customer shows the balances, revenue and cost that the API returns', async () => {
  expect(customers).toHaveLength(60);
  for (const { id } of customers) {
    const stats = { key, path: { customerId: id } };
    const { gross_revenue, total_costs } = await client.api('getCustomerStats', stats);
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

it('the timeline of each customer has as many events as the API lists', async () => {
  for (const { id: customer_id } of customers) {
    const query = { customer_id, limit: 1 };
    const { total_count } = await client.api('listEvents', { key, query });

    const days = (await read(`${UI}/customers/${customer_id}?q=usage`)).matchAll(
      />([\d,]+) events?<\/a>/g,
    );

    const counts = [...days].map(([, count = '']) => Number(count.replace(',', '')));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total_count);
  }
});

it('the customer list shows the balances, revenue and net revenue that the API returns', async () => {
  const shown = await rowsOf('/customers', /customers\/(cust_\w+)/);

  expect(shown.size).toBe(60);
  for (const { id } of customers) {
    const stats = { key, path: { customerId: id } };
    const { gross_revenue, net_revenue } = await client.api('getCustomerStats', stats);
    const balances = (await walletOf(id)).map(({ available }) => available);
    // The price of the plan comes first.
    const amounts = shown.get(id)?.slice(-balances.length - 2);
    expect(amounts).toEqual([...balances, gross_revenue, net_revenue]);
  }
});

it('the event list shows the fee of each event that the API returns', async () => {
  const shown = await rowsOf('/events', /ui\/events\/([0-9a-f-]{36})/);
  const events = await all('listEvents');

  expect(events).toHaveLength(5_191);
  for (const { id, has_fees, total_fees } of events)
    expect([id, shown.get(id)]).toEqual([id, has_fees ? [total_fees] : []]);
});

it('the ledger shows the amount and balance of each entry that the control API returns', async () => {
  const shown = await rowsOf('/ledger', /id%3A([0-9a-f-]{36})/);
  const entries = await all('listLedgerTransactions');

  expect(entries).toHaveLength(5_236);
  for (const { id, amount, balance_after } of entries)
    expect([id, shown.get(id)]).toEqual([id, [amount, balance_after]]);
});

it('the overview shows the same counts as the API', async () => {
  const text = await read(UI);
  const active = customers.reduce((sum, each) => sum + each.active_subscription_count, 0);
  const { total_count } = await client.api('listEvents', { key, query: { limit: 1 } });

  expect(/Active subscriptions<\/dt><dd>(\d+)/.exec(text)?.[1]).toBe(String(active));
  expect(text).toContain('aria-label="60 customers"');
  expect(text).toContain(`aria-label="${total_count.toLocaleString('en')} usage events"`);
});

it.each(['', '/customers/profit'])(
  'the total revenue and cost are those of the API: %j',
  async (path) => {
    const query = { period_from: '2025-12-01', period_to: '2026-01-31' };
    const { summary } = await client.api('listCustomerStats', { key, query });

    expect(figuresIn(await read(UI + path))).toMatchObject({
      Revenue: summary.gross_revenue,
      Cost: summary.total_costs,
    });
  },
);

it('a chip says how many customers its search finds', async () => {
  const chips = (await read(`${UI}/customers`)).matchAll(
    /<a class="chip" href="([^?"]*\?[^"]*)"[^>]*><bdi>([^<]*)<\/bdi><span class="muted">([\d,]+)/g,
  );
  const said = new Map<string, string>();
  for (const [, href = '', name = '', count = ''] of chips) {
    said.set(name, count);
    const found = await read(href.replaceAll('&amp;', '&').replace(/key=[^&]*&?/, ''));
    expect([name, /data-testid="count">([\d,]+) /.exec(found)?.[1]]).toEqual([name, count]);
  }
  expect([...said.keys()]).toEqual(['All', 'Active', 'Unpaid', 'Below zero']);
});

/** Returns the figures of a page, by their names, except net revenue. */
function figuresIn(html: string): Record<string, number> {
  const [figures = ''] = /<dl class="figures">.*?<\/dl>/s.exec(html) ?? [];
  const pairs = figures.matchAll(/<dt>((?!Net)[^<]*)<\/dt><dd><data[^>]* value="([^"]*)"/g);
  return Object.fromEntries([...pairs].map(([, name = '', value]) => [name, Number(value)]));
}
