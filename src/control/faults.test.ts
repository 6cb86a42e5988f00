import { describe, expect, it } from 'vitest';
import { faultRulesOf } from '../faults/rules.ts';
import { createTestClient, worldOf } from '../testing/client.ts';

const client = createTestClient();
const set = (rules: unknown, status = 422) => client.api('setFaults', { body: { rules } }, status);

describe('fault rules', () => {
  it('are returned by setFaults and listFaults as they were set, with their counts', async () => {
    const rule = {
      name: 'slow wallets',
      match: { operation: 'getWallet', customer: 'acme' },
      skip: 1,
      times: 2,
      latency: '100ms',
      rate_limit: { limit: 1, period: '1m', clock: 'world' },
    };
    const report = { rules: [{ position: 1, seen: 0, applied: 0, ...rule }] };

    expect(await set([rule], 200)).toEqual(report);
    expect(await client.api('listFaults')).toEqual(report);
  });

  it('are rejected with all errors at once, and the earlier rules stay', async () => {
    await set([{ status: 503 }], 200);

    const { errors } = await set([
      { match: { operation: 'submitEvent' }, status: 503 },
      { match: { topic: 'subscription.activatd' } },
      { status: 503, connection: 'reset', lost_response: true },
      { latency: 'soon' },
      { latency: '61m' },
      { rate_limit: { limit: 1, period: '0s' } },
      { connection: 'reset', headers: { A: 'b' } },
      {
        status: 503,
        headers: { 'Content-Length': '1', 'X-A': 'a\nb', 'Retry-After': '1', 'a b': 'c' },
      },
      { delivery: 'status' },
    ]);

    const ONE =
      'Expected only one of status, connection, rate_limit, lost_response and delivery; a latency can accompany any of them except delivery.';
    const LATENCY = 'Expected a duration of at most an hour, such as 500ms.';
    const HEADER = 'Expected a valid response header, with a value without line breaks.';
    expect(errors).toEqual({
      'rules[0].match.operation': [
        'There is no operation "submitEvent". Did you mean submitEvents?',
      ],
      'rules[1].match.topic': [
        'There is no topic subscription.activatd. Did you mean subscription.activated?',
        'Rules match requests by operation and customer, and deliveries by topic and destination.',
      ],
      'rules[1].status': [
        'Expected an effect: status, latency, connection, rate_limit, lost_response or delivery.',
      ],
      'rules[2].connection': [ONE],
      'rules[2].lost_response': [ONE],
      'rules[3].latency': [LATENCY],
      'rules[4].latency': [LATENCY],
      'rules[5].rate_limit.period': ['Expected a duration of at most a year, such as 10s.'],
      'rules[6].headers': ['This is only allowed for requests, together with status.'],
      'rules[7].headers.Content-Length': [HEADER],
      'rules[7].headers.X-A': [HEADER],
      'rules[7].headers.a b': [HEADER],
      'rules[8].status': ['Expected the status with which the receiver seems to respond.'],
    });
    const { rules } = await client.api('listFaults');
    expect(rules).toEqual([{ position: 1, seen: 0, applied: 0, status: 503 }]);
  });

  it('are limited to 100 per world', async () => {
    const hundred = Array.from({ length: 100 }, () => ({ status: 503, times: 0 }));
    await set(hundred, 200);

    const { errors } = await client.api('addFault', { body: { status: 503 } }, 422);
    expect(errors).toEqual({ '': ['A world has at most 100 fault rules.'] });
    const tooMany = await set([...hundred, { status: 503 }]);
    expect(tooMany.errors).toEqual({ rules: ['Expected at most 100 items.'] });
    await client.api('listCustomers');
    await client.api('setFaults', { body: { rules: [] } });
  });

  it('do not match names of Object.prototype such as constructor', async () => {
    await set(
      [
        { match: { customer: 'constructor' }, status: 503 },
        { match: { customer: '__proto__' }, status: 503 },
      ],
      200,
    );

    await client.api('createCustomer', { body: { name: 'Ada' } }, 201);
    await client.api('setFaults', { body: { rules: [] } });
  });
});

/** The rules of a world, with one rule that is applied twice. */
function open() {
  const { emulator } = createTestClient({ fixture: '' });
  const world = worldOf(emulator);
  const rules = faultRulesOf(world);
  rules.set([{ delivery: 'drop', times: 2 }]);
  const meet = () => rules.match(({ delivery }) => delivery === 'drop')?.position;
  const counts = () => rules.list().map(({ seen, applied }) => [seen, applied]);
  return { world, meet, counts };
}

describe('the counts of a fault rule', () => {
  it('are kept when the commit that changed them succeeds', () => {
    const { world, meet, counts } = open();

    expect(world.commit(() => [meet(), meet(), meet()])).toEqual([1, 1, undefined]);
    expect(counts()).toEqual([[3, 2]]);
  });

  it('are rolled back with the commit or dry run that changed them, and with no other', () => {
    const { world, meet, counts } = open();
    const fail = () => {
      meet();
      throw new Error('refused');
    };

    meet();
    world.dryRun(meet);
    expect(() => world.commit(fail)).toThrow('refused');
    expect(counts()).toEqual([[1, 1]]);
    world.commit(() => {
      expect(() => world.commit(fail)).toThrow('refused');
      world.dryRun(meet);
      meet();
    });
    expect(counts()).toEqual([[2, 2]]);
  });
});
