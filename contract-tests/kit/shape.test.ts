import { describe, expect, it } from 'vitest';
import { layers, specifiedStatuses } from './layers.ts';
import { type OperationId, operationOf } from './operations.ts';
import { validateShape } from './shape.ts';

const findingsIn = (operation: OperationId, body: unknown, status = 200) => {
  const found = validateShape(operationOf(operation), status, body);
  const ofKind = (wanted: string) => found.filter(({ kind }) => kind === wanted);
  const texts = (wanted: string) => ofKind(wanted).map(({ finding }) => finding);
  return { broken: texts('broken'), refuted: ofKind('refuted'), undeclared: texts('undeclared') };
};

const account = { id: 'default:USD', name: 'default', asset: 'USD', available: 1 };
const stats = { gross_revenue: 1, total_costs: 0, net_revenue: 1, margin: 1, currency: 'USD' };

describe('specifiedStatuses', () => {
  it('returns 190 statuses for the 57 operations', () => {
    const operations = [...layers().specified.operations.values()];

    expect(operations).toHaveLength(57);
    expect(operations.flatMap(specifiedStatuses)).toHaveLength(190);
  });
});

describe('validateShape', () => {
  it('finds nothing in a response that follows the specification and assumptions', () => {
    expect(findingsIn('getWallet', { accounts: [account] })).toEqual({
      broken: [],
      refuted: [],
      undeclared: [],
    });
  });

  it.each<[string, OperationId, number, unknown, string]>([
    [
      'a required field left out',
      'getWallet',
      200,
      { accounts: [{ ...account, available: undefined }] },
      'accounts[].available is missing',
    ],
    [
      'a required field of null',
      'getWallet',
      200,
      { accounts: [{ ...account, available: null }] },
      'accounts[].available is not number',
    ],
    ['a wrong type', 'getWallet', 200, { accounts: {} }, 'accounts is not array'],
    [
      'a wrong format',
      'createAsset',
      201,
      { code: 'CT', created_at: 'yesterday' },
      'created_at is no date-time',
    ],
    [
      'a value outside of the enum',
      'getAccountContext',
      200,
      { account_id: 'acc_1', environment: 'sandbox' },
      'environment is none of the values',
    ],
    [
      'an empty list that must have an item',
      'createSubscription',
      201,
      { id: 'sub_1', status: 'active', products: [] },
      'products breaks minItems',
    ],
    [
      'a field required by a decision on its meaning',
      'getCustomerStats',
      200,
      { ...stats, margin: undefined },
      'margin is missing',
    ],
    ['a body where none is due', 'getCustomer', 404, {}, 'a body where none is due'],
    ['a problem without title', 'getAsset', 400, { type: '/a', status: 400 }, 'title is missing'],
  ])('reports as broken: %s', (_, operation, status, body, finding) => {
    expect(findingsIn(operation, JSON.parse(JSON.stringify(body)), status).broken).toEqual([
      finding,
    ]);
  });

  it.each<[string, OperationId, number, unknown, string, string]>([
    [
      'a form of ids that was decided',
      'getWallet',
      200,
      { accounts: [{ ...account, id: 'Main/USD' }] },
      'accounts[].id breaks pattern',
      'A-702',
    ],
    [
      'a field that was invented',
      'listTasks',
      200,
      { items: [{ id: 'cust_1:a' }], total_count: 1, limit: 100, offset: 0 },
      'items[].stats is missing',
      'A-1001',
    ],
    [
      'an optional field of null',
      'getConnectedAccount',
      200,
      { id: 'a', name: 'b', created_at: '2026-01-01T00:00:00Z', metadata: null, external_id: null },
      'external_id is not string',
      '',
    ],
    [
      'null or absent, which was decided',
      'getCustomer',
      200,
      {
        id: 'a',
        name: 'b',
        active_subscription_count: 0,
        created_at: '2026-01-01T00:00:00Z',
        subscriptions: [],
        external_accounts: [],
      },
      'metadata is missing',
      'A-308',
    ],
    [
      'a body of 422 of its own',
      'createCustomer',
      422,
      { message: 'no' },
      'errors is missing',
      'A-204',
    ],
  ])('reports as refuted: %s', (_, operation, status, body, finding, assumption) => {
    const { broken, refuted } = findingsIn(operation, body, status);
    const found = refuted.find((one) => one.finding === finding);

    expect(broken).toEqual([]);
    expect(found).toBeDefined();
    if (assumption !== '') expect(found?.assumptions).toContain(assumption);
  });

  it('reports fields that the document does not declare', () => {
    const { broken, refuted, undeclared } = findingsIn('getWallet', {
      accounts: [{ ...account, color: 'red' }],
    });

    expect({ broken, refuted }).toEqual({ broken: [], refuted: [] });
    expect(undeclared).toEqual(['accounts[].color']);
  });
});
