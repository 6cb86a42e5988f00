import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { performVerb, serveForFile } from '../../testing/verb.ts';

const { url } = await serveForFile();

const clock = (...args: readonly string[]) =>
  performVerb(['clock', ...args, '--url', url, '--key', 'key_test_clock']);

async function giveCredit(): Promise<void> {
  const client = createClient({ url, key: 'key_test_clock' });
  const { id: customerId } = await client.call('createCustomer', { body: { name: 'Acme' } });
  const gift = {
    asset: 'USD',
    amount: 12.5,
    reason: 'gift',
    expires_at: '2026-02-10T00:00:00Z',
  } as const;
  const transaction_id = '00000000-0000-4000-8000-0000000000c1';
  await client.call('adjustWallet', { path: { customerId }, body: { transaction_id, ...gift } });
}

describe('billing-emulator clock', () => {
  it('freezes the clock, makes a dry run and advances', async () => {
    const frozen = await clock('freeze', '2026-01-31T10:00:00Z');
    await giveCredit();
    const rehearsed = await clock('advance', '1mo', '--dry-run');
    const advanced = await clock('advance', '1mo');

    expect([frozen.code, frozen.out]).toEqual([
      0,
      expect.stringMatching(/^2026-01-31T10:00:00\.000Z {2}frozen {2}moved backward\n$/),
    ]);
    expect(rehearsed.out).toContain('would go to 2026-02-28T10:00:00.000Z: 1 due item.');
    expect(advanced.out).toMatch(
      /^2026-02-10T00:00:00\.000Z {2}grant_expiry {4}USD -12\.5 {2}grt_\w+\n/,
    );
    expect(advanced.out).toContain('went to 2026-02-28T10:00:00.000Z: 1 due item.');
  }, 60_000);

  it('exits 1 for an invalid duration and names the valid forms', async () => {
    const { code, errors } = await clock('advance', 'a while');

    expect(code).toBe(1);
    expect(errors).toContain('by: Expected a duration such as P1M, PT5M, 30d or 1mo.');
  }, 20_000);
});
