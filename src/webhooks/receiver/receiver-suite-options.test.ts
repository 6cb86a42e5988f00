import { describe, expect, it } from 'vitest';
import { RECEIVER_SECRET, suiteAgainst } from '../../testing/webhook-receiver.ts';
import { verifySignature } from '../verify-signature.ts';
import type { ReceiverCheckId } from './receiver-checks.ts';
import type { ReceiverCheckResult } from './receiver-report.ts';

const failedOf = (checks: readonly ReceiverCheckResult[]): ReceiverCheckId[] =>
  checks.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);

describe.concurrent('options of the receiver suite', () => {
  it('skip leaves out the given checks', async () => {
    const checks = await suiteAgainst({ limit: 100 * 1024 }, { skip: ['large_body', 'stale'] });

    expect(failedOf(checks)).toEqual([]);
    expect(checks.filter(({ verdict }) => verdict === 'skipped').map(({ id }) => id)).toEqual([
      'stale',
      'large_body',
    ]);
  });

  it('now sets the time at which events are signed', async () => {
    const now = 1_768_478_400;
    const checks = await suiteAgainst(
      { verify: (body, header) => verifySignature(body, header, RECEIVER_SECRET, { now }).valid },
      { now },
    );

    expect(failedOf(checks)).toEqual([]);
    expect(checks[0]?.requests[0]?.signature).toMatch(/^t=1768478400,v0=[0-9a-f]{64}$/);
  });

  it('data sets fields of the event data', async () => {
    const [valid] = await suiteAgainst(
      { take: ({ data }) => (data['customer_id'] === 'cust_known' ? 204 : 404) },
      { data: { customer_id: 'cust_known' } },
    );

    expect(valid?.verdict).toBe('passed');
  });

  it('event ids differ between two runs', async () => {
    const idsOf = async () => {
      const ids = new Set<string>();
      await suiteAgainst({
        take({ id }) {
          ids.add(id);
          return 204;
        },
      });
      return ids;
    };
    const [first, second] = await Promise.all([idsOf(), idsOf()]);

    for (const id of first) expect(id).toMatch(/^evt_[0-9a-z]{26}$/);
    expect([...first].filter((id) => second.has(id))).toEqual([]);
    expect(second.size).toBe(first.size);
  });
});
