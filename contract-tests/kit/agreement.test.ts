import { describe, expect, it, vi } from 'vitest';
import { Agreement } from './agreement.ts';
import { parseExactly } from './exact-json.ts';
import type { OperationId } from './operations.ts';
import type { ReceivedResponse } from './target/client.ts';

const ADA = { id: 'cust_1', name: 'Ada', created_at: '2026-01-01T00:00:00.000Z' };

/** Passes a request and its response to an agreement; returns what it finds. */
function answered(
  agreement: Agreement,
  operation: OperationId,
  body: object,
  status = 200,
  date = 'Thu, 01 Jan 2026 00:00:00 GMT',
) {
  const end = agreement.begin(operation, { path: { customerId: 'cust_1' } });
  return end({ operation, status, body, headers: { date } } as unknown as ReceivedResponse);
}

describe('Agreement', () => {
  it('finds a list that says other than the detail, until something is written', () => {
    const agreement = new Agreement();
    const list = { items: [{ ...ADA, name: 'Eve' }] };

    expect(answered(agreement, 'getCustomer', ADA)).toEqual([]);
    expect(answered(agreement, 'listCustomers', list)).toEqual([
      'name is not what getCustomer says of the same object',
    ]);
    expect(answered(agreement, 'updateCustomer', {}, 204)).toEqual([]);
    expect(answered(agreement, 'getCustomer', ADA)).toEqual([]);
  });

  it('finds what a rejected write changed, and what no write may change', () => {
    const agreement = new Agreement();
    answered(agreement, 'getCustomer', ADA);
    answered(agreement, 'updateCustomer', {}, 422);

    expect(answered(agreement, 'getCustomer', { ...ADA, name: 'Eve' })).toHaveLength(1);
    answered(agreement, 'updateCustomer', {}, 204);
    const later = { ...ADA, created_at: '2026-01-02T00:00:00.000Z' };
    expect(answered(agreement, 'getCustomer', later)).toEqual([
      'created_at is not what getCustomer says of the same object',
    ]);
  });

  it('finds usage that the list shows otherwise than its detail, whatever is written', () => {
    const agreement = new Agreement();
    const usage = { id: 'e1', event_type: 'call', subject: 'a' };
    const fees = [0.1, 0.2].map((amount) => ({ amount, currency: 'USD' }));
    const detail = parseExactly(JSON.stringify({ ...usage, fees })) as object;
    answered(agreement, 'getEvent', detail);
    answered(agreement, 'updateCustomer', {}, 204);
    const item = { ...usage, has_fees: true, fee_currency: 'USD', total_fees: 0.3 };

    expect(answered(agreement, 'listEvents', { items: [item] })).toEqual([]);
    expect(
      answered(agreement, 'listEvents', {
        items: [{ ...item, has_fees: false, total_fees: 0.1, subject: 'b' }],
      }),
    ).toHaveLength(3);
  });

  it('finds a subscriber that is shown otherwise than its subscription', () => {
    const agreement = new Agreement();
    const held = { id: 'sub_1', status: 'active', renews_at: '2026-02-01T00:00:00.000Z' };
    answered(agreement, 'getCustomer', { ...ADA, subscriptions: [held] });
    const subscriber = {
      customer_id: 'cust_1',
      subscription_id: 'sub_1',
      subscription_status: 'active',
    };

    expect(answered(agreement, 'listSubscribers', { items: [subscriber] })).toEqual([
      'renews_at is not what getCustomer says of the same object',
    ]);
  });

  it('finds a Date that moved without a change', () => {
    const agreement = new Agreement();
    answered(agreement, 'getCustomer', ADA);

    expect(answered(agreement, 'updateCustomer', {}, 422, 'Fri, 02 Jan 2026 00:00:00 GMT')).toEqual(
      ['Date does not follow that of the response before by the time between them'],
    );
  });

  it('accepts the Date of a response that took long to arrive', () => {
    vi.useFakeTimers();
    try {
      const agreement = new Agreement();
      const end = agreement.begin('getCustomer', {});
      vi.advanceTimersByTime(5000);
      const headers = { date: 'Thu, 01 Jan 2026 00:00:00 GMT' };
      end({
        operation: 'getCustomer',
        status: 200,
        body: ADA,
        headers,
      } as unknown as ReceivedResponse);

      expect(answered(agreement, 'getCustomer', ADA, 200, 'Thu, 01 Jan 2026 00:00:05 GMT')).toEqual(
        [],
      );
    } finally {
      vi.useRealTimers();
    }
  });

  it('compares nothing that was read during a write', () => {
    const agreement = new Agreement();
    answered(agreement, 'getCustomer', ADA);
    agreement.begin('updateCustomer', {});

    expect(answered(agreement, 'getCustomer', { ...ADA, name: 'Eve' })).toEqual([]);
  });
});
