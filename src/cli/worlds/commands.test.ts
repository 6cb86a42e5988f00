import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { performCommand, serveForFile } from '../../testing/command.ts';
import { newFolder } from '../../testing/files.ts';

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

const client = createClient({ url, key: 'key_test_emulator' });
const { items } = await client.call('listCustomers');
const acme = items.find(({ external_id }) => external_id === 'acme')?.id as string;

const payment = (...args: readonly string[]) => performCommand(['payment', ...args, '--url', url]);

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
  });
});

const folder = newFolder();
const file = join(folder, 'rules.yaml');

const faults = (...args: readonly string[]) => performCommand(['faults', ...args, '--url', url]);
const call = (...args: readonly string[]) => performCommand(['call', ...args, '--url', url]);

async function list(): Promise<number> {
  const headers = { Authorization: 'Bearer key_test_emulator' };
  return (await fetch(`${url}/customers`, { headers })).status;
}

describe('billing-emulator faults', () => {
  it('adds a rule to those of a file', async () => {
    writeFileSync(
      file,
      'rules:\n- {match: {operation: listCustomers}, times: 1, status: 503}\n' +
        '- {name: slow, match: {customer: acme}, latency: 1ms}\n',
    );
    const set = await call('setFaults', '--body', file);
    expect(await list()).toBe(503);
    const add = [
      'add',
      '--operation',
      'createVendor',
      '--skip',
      '1',
      '--rate-limit',
      '5/10s',
      '--json',
    ];
    const added = await faults(...add);
    const listed = await faults('add', '--name', 'last', '--status', '503', '--times', '1');
    const cleared = await call('setFaults', 'rules=[]');

    expect([set.code, set.errors]).toEqual([0, '']);
    expect(JSON.parse(added.out).rules[2]).toEqual({
      position: 3,
      seen: 0,
      applied: 0,
      match: { operation: 'createVendor' },
      skip: 1,
      rate_limit: { limit: 5, period: '10s' },
    });
    expect(listed.out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['1', 'listCustomers', 'at most 1 time', 'status=503', 'matched 1, applied 1'],
      ['2', 'slow', 'acme', 'latency=1ms', 'matched 0, applied 0'],
      ['3', 'createVendor', 'after the first 1', 'rate_limit=5/10s', 'matched 0, applied 0'],
      ['4', 'last', 'any request', 'at most 1 time', 'status=503', 'matched 0, applied 0'],
      [''],
    ]);
    expect(cleared.code).toBe(0);
    expect(await list()).toBe(200);
  });
});
