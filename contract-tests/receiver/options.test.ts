import { verifySignature } from 'billing-emulator';
import { describe, expect, it } from 'vitest';
import { checksOf, RECEIVER_SECRET, type ReceiverParts } from '../testing/webhook-receiver.ts';

describe.concurrent('the check of a receiver', () => {
  it('now sets the time at which events are signed', async () => {
    const now = 1_768_478_400;
    const checks = await checksOf(
      { verify: (body, header) => verifySignature(body, header, RECEIVER_SECRET, { now }).valid },
      { now },
    );

    expect(checks.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(checks[0]?.requests[0]?.signature).toMatch(/^t=1768478400,v0=[0-9a-f]{64}$/);
  });

  it('data sets fields of the event data', async () => {
    const [valid] = await checksOf(
      { take: ({ data }) => (data['customer_id'] === 'cust_known' ? 204 : 404) },
      { data: { customer_id: 'cust_known' } },
    );

    expect(valid?.verdict).toBe('passed');
  });

  it('sends other event ids in each run', async () => {
    const seen: string[] = [];
    const take: ReceiverParts['take'] = ({ id }, memory) => {
      if (memory.seen.size === 0) seen.push(id);
      memory.seen.add(id);
      return 204;
    };
    await checksOf({ take });
    await checksOf({ take });

    expect(seen[0]).toMatch(/^evt_[0-9a-z]{26}$/);
    expect(new Set(seen).size).toBe(2);
  });
});
