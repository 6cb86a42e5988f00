import { describe, expect, it } from 'vitest';
import { createEmulator } from '../emulator.ts';
import { FixtureError, parseFixture } from './read.ts';
import { applyFixture, describeOutcome, runFixture } from './run-fixture.ts';
import type { ScenarioTarget } from './scenario-target.ts';

function openStage(): ScenarioTarget {
  const settings = {
    fixture: '',
    clock: 'frozen',
    clock_now: '2026-01-15T12:00:00Z',
    max_due_items: 5,
  };
  const { worlds, targetOf } = createEmulator({ settings });
  const world = worlds.find('key_test_emulator');
  if (!world) throw new Error('There is no world.');
  return targetOf(world);
}

async function linesOf(...steps: readonly string[]): Promise<readonly string[]> {
  const fixture = parseFixture(['about: x', 'steps:', ...steps].join('\n'), 'f.yaml');
  const outcomes = await runFixture(fixture, openStage());
  return outcomes.flatMap((outcome) =>
    outcome.skipped ? [`${outcome.index + 1} skipped`] : describeOutcome(fixture, outcome),
  );
}

const ACME = '  - {call: createCustomer, as: acme, body: {name: Acme, external_id: acme}}';

const pay = (amount: number | string, id = 1) =>
  `  - {call: adjustWallet, path: {customerId: $acme.id}, body: {transaction_id: 00000000-0000-4000-8000-00000000000${id}, asset: USD, amount: ${amount}, reason: gift}}`;

describe('running a scenario', () => {
  it('reports a wrong expected balance at its line with the actual one, and continues', async () => {
    const lines = await linesOf(
      ACME,
      pay(10),
      '  - expect:',
      '      balance:',
      '        customer: $acme.id',
      '        accounts:',
      '          EUR: 1',
      '          USD: 10.5',
      '  - {call: getCustomer, path: {customerId: $acme.id}, expect: {body: {name: Acne}}}',
    );

    expect(lines).toEqual([
      'f.yaml:9:11: step 3 (expect): EUR: expected 1 available, got nothing',
      'f.yaml:10:11: step 3 (expect): USD: expected 10.5 available, got 10',
      'f.yaml:11:71: step 4 (getCustomer): name: expected "Acne", got "Acme"',
    ]);
  });

  it('reports the errors of a rejected request at their fields, and skips the rest', async () => {
    const lines = await linesOf(
      ACME,
      '  - call: createCustomer',
      '    body:',
      '      name: Acme',
      '      email: $acme.id',
      '      metadata: $acme.id',
      ACME,
    );

    expect(lines).toEqual([
      'f.yaml:4:5: step 2 (createCustomer): expected a success, got 422',
      'f.yaml:7:7: step 2 (createCustomer): email: Expected an email address.',
      'f.yaml:8:7: step 2 (createCustomer): metadata: Expected an object or null.',
      '3 skipped',
    ]);
  });

  it('accepts an expected 422, and stops at an unexpected success', async () => {
    const lines = await linesOf(
      '  - {call: createCustomer, body: {}, expect: 422}',
      '  - {call: createCustomer, body: {name: A, external_id: a}, expect: 422}',
      ACME,
    );

    expect(lines[0]).toContain('f.yaml:4:5: step 2 (createCustomer): expected 422, got 201 {"id"');
    expect(lines[1]).toBe('3 skipped');
  });

  it('compares lists by entries and length, and treats null as absent', async () => {
    const look = (items: string) =>
      `  - {call: listCustomers, expect: {body: {items: ${items}, total_count: 1, limit: 100}}}`;
    const lines = await linesOf(
      ACME,
      look('[{name: Acme, email: null}]'),
      look('[]'),
      look('[{name: Acme, email: x}]'),
    );

    expect(lines[0]).toContain('step 3 (listCustomers): items: expected 0 entries, got 1: [{');
    expect(lines[1]).toContain('step 4 (listCustomers): email: expected "x", got nothing');
    expect(lines).toHaveLength(2);
  });

  it('rejects a step before the instant already reached', async () => {
    const lines = await linesOf(
      '  - {call: listCustomers, at: -P20D}',
      '  - {call: listCustomers, at: -P3D}',
      '  - {call: listCustomers, at: -P4D}',
    );

    expect(lines).toEqual([
      'f.yaml:5:27: step 3 (listCustomers): 2026-01-11T12:00:00.000Z is before 2026-01-12T12:00:00.000Z, which is already reached.',
    ]);
  });

  it('replaces $n by the repetition of a step, padded, and within other references', async () => {
    const lines = await linesOf(
      '  - call: createCustomer',
      '    times: 12',
      '    as: last',
      '    body: {name: Customer $n, external_id: c-$n:3, metadata: {at: $start+PT$nM, price: $$n, not: $now}}',
      '  - {call: getCustomer, path: {customerId: $last.id}, expect: {body: {name: Customer 12, external_id: c-012, metadata: {at: 2026-01-15T12:12:00.000Z, price: $$n, not: $now}}}}',
      '  - {call: createCustomer, times: 12, body: {name: A, external_id: c-00$n}, expect: 422}',
    );

    expect(lines).toEqual([
      expect.stringMatching(/^f\.yaml:8:5: step 3 .* expected 422, got 201 .* \(with \$n = 10\)$/),
    ]);
  });

  it('sets the clock no earlier than 1970, and never returns a year before 0000', async () => {
    const text = [
      'about: x',
      'clock: -P3000Y',
      'steps:',
      '  - {call: createCustomer, body: {name: A, metadata: {a: $now, b: $now-P3000Y}}}',
    ].join('\n');
    const target = openStage();
    await runFixture(parseFixture(text, 'f.yaml'), target);
    const { body } = await target.send({ call: 'listCustomers' });
    const { items } = body as { items: { id: string }[] };
    const path = { customerId: items[0]?.id as string };

    expect((await target.send({ call: 'getCustomer', path })).body).toMatchObject({
      metadata: { a: '1970-01-01T00:00:00.000Z', b: '0000-01-01T00:00:00.000Z' },
    });
  });

  it('resolves references to responses, $now, $today, $start and doubled dollar signs', async () => {
    const target: ScenarioTarget = Object.create(openStage(), { delivered: { value: undefined } });
    const text = [
      'about: x',
      'steps:',
      '  - {call: createCustomer, as: acme, at: -P1DT3H, body: {name: $$acme.id, metadata: {a: $now, b: $today-PT1H, c: $start+P1M, d: $}}}',
      '  - {call: createCustomer, as: list, body: {name: B, metadata: {a: $acme.id}}}',
    ].join('\n');
    applyFixture(parseFixture(text, 'f.yaml'), target);
    const { body } = await target.send({ call: 'listCustomers' });
    const { items } = body as { items: { id: string; name: string }[] };
    const details = await Promise.all(
      items.map(({ id }) => target.send({ call: 'getCustomer', path: { customerId: id } })),
    );

    expect(details.map((reply) => reply.body)).toMatchObject([
      { name: 'B', metadata: { a: items[1]?.id } },
      {
        name: '$acme.id',
        metadata: {
          a: '2026-01-14T09:00:00.000Z',
          b: '2026-01-13T23:00:00.000Z',
          c: '2026-02-15T12:00:00.000Z',
          d: '$',
        },
      },
    ]);
  });

  it('reports a reference to a field that the response lacks', async () => {
    expect(
      await linesOf(ACME, '  - {call: getCustomer, path: {customerId: $acme.idd}}', ACME),
    ).toEqual([
      'f.yaml:4:32: step 2 (getCustomer): The response acme has no $acme.idd.',
      '3 skipped',
    ]);
  });

  it.each([
    [
      'a path',
      '{call: getCustomer, path: {customerId: $acme}}',
      'f.yaml:4:32: step 2 (getCustomer)',
    ],
    ['an account', '{call: listCustomers, account: $acme}', 'f.yaml:4:27: step 2 (listCustomers)'],
    ['a payment', '{pay: $acme}', 'f.yaml:4:6: step 2 (pay succeeded)'],
  ])('rejects an object as %s', async (_, step, line) => {
    expect((await linesOf(ACME, `  - ${step}`))[0]).toMatch(
      new RegExp(`^${line.replaceAll(/[()]/g, '.')}: expected text, got {"id":`),
    );
  });

  it('sends a request as often as times, and checks every response', async () => {
    const storm = `${pay(1).slice(0, -1)}, times: 50, expect: 201}`;
    const balance = '  - {expect: {balance: {customer: $acme.id, accounts: {USD: 1}}}}';
    const clash = '  - {call: createCustomer, times: 2, body: {name: A, external_id: a}}';

    expect(await linesOf(ACME, storm, balance)).toEqual([]);
    expect((await linesOf(clash))[0]).toContain('(createCustomer): expected a success, got 422');
  });

  it('waits for deliveries and counts the matching webhook events', async () => {
    const lines = await linesOf(
      '  - {call: createWebhook, as: hook, body: {url: $inbox/shop}}',
      '  - {call: testWebhooks, path: {topic: subscription.activated}, body: {a: 1, b: 2}}',
      '  - expect:',
      '      delivery:',
      '        - {destination: $hook.id, status: delivered, attempts: 1, data: {a: 1}}',
      '        - {topic: subscription.activated, count: 2}',
      '        - {destination: $hook.id, data: {a: 2}, count: 0}',
    );

    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(
      'f.yaml:8:11: step 3 (expect): expected 2 such webhook events, got 1; the newest is {"topic"',
    );
  });

  it('reports an advance over max_due_items', async () => {
    const lines = await linesOf(
      '  - {call: createProduct, body: {name: P, code: p, publish: true, entitlements: [{name: E, asset: USD, amount: 1, purpose: bundled, lifecycle: {duration: day, refresh: {strategy: expire_and_replace}}}]}}',
      '  - {call: createCustomer, body: {name: A, subscriptions: [{products: [{code: p}]}]}}',
      '  - {advance: P1Y}',
    );

    expect(lines).toEqual([
      expect.stringMatching(
        /^f\.yaml:5:6: step 3 \(advance P1Y\): .*Advance to 2026-01-18.* at most/,
      ),
    ]);
  });

  it('applyFixture throws at the first failed expectation', () => {
    const text = `about: x\nsteps:\n${ACME}\n${pay('$acme.id')}\n${pay(0.5)}`;

    const atOnce: ScenarioTarget = Object.create(openStage(), { delivered: { value: undefined } });

    expect(() => applyFixture(parseFixture(text, 'f.yaml'), atOnce)).toThrowError(
      new FixtureError(
        [
          'f.yaml:4:5: step 2 (adjustWallet): expected a success, got 422',
          'f.yaml:4:129: step 2 (adjustWallet): amount: Expected a number.',
        ].join('\n'),
      ),
    );
  });
});
