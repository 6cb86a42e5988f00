import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { serveForFile } from '../../testing/setups/for-file.ts';
import { performVerb } from '../../testing/verb.ts';

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

  it('saves and removes the payment method of a customer', async () => {
    const saved = await payment('method', acme, '--last4', '4242', '--declines-later');
    const removed = await payment('method', 'acme', '--remove');
    const wrong = await payment('method', acme, '--last4', 'x');

    expect([saved.out, removed.out]).toEqual([
      'The payment method is saved.\n',
      'The payment method is removed.\n',
    ]);
    expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining('last4')]);
  }, 60_000);

  it('turns an automatic top-up on and off', async () => {
    const terms = ['--threshold', '10', '--amount', '30'];
    const on = await payment('auto-top-up', acme, 'default:USD', ...terms);
    const off = await payment('auto-top-up', 'acme', 'default:USD', '--off');
    const wrong = await payment('auto-top-up', acme, 'default:USD', '--amount', 'much');

    expect(on.out).toBe('default:USD  below 10  30 USD\n');
    expect(off.out).toBe('No automatic top-ups.\n');
    expect([wrong.code, wrong.errors]).toEqual([
      1,
      expect.stringMatching(/threshold: This field.*\n.*amount: Expected a number/),
    ]);
  }, 60_000);
});

describe('billing-emulator assumptions', () => {
  it('lists all assumptions, and explains one', async () => {
    const all = await performVerb(['assumptions', '--url', url]);
    const one = await performVerb(['assumptions', 'a-304', '--url', url]);
    const none = await performVerb(['assumptions', 'A-9', '--url', url]);

    expect(all.out).toMatch(/^A-304 +domain +\S/m);
    const [, total, ...counts] =
      /(\d+) by evidence: domain (\d+), published client (\d+), specification (\d+)\.\n$/.exec(
        all.out,
      ) ?? [];
    expect(counts.map(Number).reduce((sum, count) => sum + count)).toBe(Number(total));
    expect(all.out.match(/^A-\d+ /gm)).toHaveLength(Number(total));
    expect(one.out).toMatch(/^A-304 .*\n\n.*half-even/);
    expect(one.out).toContain('(Evidence: domain.)');
    expect([none.code, none.errors]).toEqual([1, 'There is no assumption A-9.\n']);
  }, 60_000);
});
