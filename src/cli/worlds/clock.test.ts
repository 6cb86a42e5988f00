import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { performCommand, serveForFile } from '../../testing/command.ts';

const { url } = await serveForFile({ fixture: 'quickstart' });

const clock = (...args: readonly string[]) =>
  performCommand(['clock', ...args, '--url', url, '--key', 'key_test_clock']);

async function giveCredit(): Promise<void> {
  const inWorld = createClient({ url, key: 'key_test_clock' });
  const { id: customerId } = await inWorld.call('createCustomer', { body: { name: 'Acme' } });
  const gift = {
    asset: 'USD',
    amount: 12.5,
    reason: 'gift',
    expires_at: '2026-02-10T00:00:00Z',
  } as const;
  const transaction_id = '00000000-0000-4000-8000-0000000000c1';
  await inWorld.call('adjustWallet', { path: { customerId }, body: { transaction_id, ...gift } });
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
  });
});
