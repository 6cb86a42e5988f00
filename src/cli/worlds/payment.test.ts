import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { performVerb, serveForFile } from '../../testing/verb.ts';

const { url } = await serveForFile({ fixture: 'quickstart' });
const client = createClient({ url, key: 'key_test_emulator' });
const { items } = await client.call('listCustomers');
const acme = items.find(({ external_id }) => external_id === 'acme')?.id as string;

const payment = (...args: readonly string[]) => performVerb(['payment', ...args, '--url', url]);

async function startTopUp(): Promise<string> {
  const urls = { return_url: 'https://shop.example/ok', failure_url: 'https://shop.example/no' };
  const body = { customer_id: acme, amount: 20, currency: 'USD', ...urls };
  return (await client.call('createTopUp', { body })).id;
}

describe('billing-emulator payment', () => {
  it('settles a payment, and reports one already settled or unknown', async () => {
    const id = await startTopUp();
    const paid = await payment('settle', id);
    const again = await payment('settle', id, '--json');
    const refused = await payment(
      'settle',
      await startTopUp(),
      '--outcome',
      'failed',
      '--reason',
      'No.',
    );
    const unknown = await payment('settle', 'top_none');

    expect(paid).toEqual({ code: 0, out: `top_up ${id} of ${acme} is succeeded\n`, errors: '' });
    expect(JSON.parse(again.out)).toMatchObject({ id, changed: false });
    expect(refused.code).toBe(0);
    expect(unknown.code).toBe(1);
  }, 60_000);
});
