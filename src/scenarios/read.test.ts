import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readJson, readText } from './positions.ts';
import { FixtureError, parseFixture } from './read.ts';
import type { Place } from './scenario.ts';

/** Returns the problems of a text, one per line. */
function problemsOf(text: string): readonly string[] {
  try {
    parseFixture(text, 'f.yaml');
    return [];
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    return error.message.split('\n');
  }
}

const STEPS = (...lines: readonly string[]) => ['about: x', 'steps:', ...lines].join('\n');

describe('parseFixture', () => {
  it('accepts every kind of step', () => {
    const text = STEPS(
      '  - {call: createCustomer, as: acme, at: -P20D, body: {name: Acme}, times: 2, expect: 201}',
      '  - {call: getWallet, path: {customerId: $acme.id}, expect: {status: 200, body: {}}}',
      '  - {advance: P1M, expect: {balance: {customer: $acme.id, accounts: {USD: null}}}}',
      '  - {expect: {balance: [{customer: $acme.id, accounts: {USD: 1, "bonus:USD": 2}}]}}',
    );

    expect(problemsOf(text)).toEqual([]);
  });

  it.each(['1969-12-31T23:59:59.999Z', '1970-01-01T00:59:59+01:00'])(
    'rejects a clock at %s, before 1970',
    (clock) => {
      expect(problemsOf(`about: x\nclock: ${clock}\nsteps: []`)).toEqual([
        expect.stringContaining('f.yaml:2:1: clock:'),
      ]);
    },
  );

  it('reports all problems at once, in the order of their lines', () => {
    const text = [
      'abut: x',
      'clock: tomorrow',
      'steps:',
      '  - cal: createCustomer',
      '  - call: createCustomr',
      '  - call: createCustomer',
      '    tims: 3',
      '    expect: {stats: 200}',
      '  - advance: 1 month',
      '  - advance: P1M',
      '    body: {}',
    ].join('\n');

    expect(problemsOf(text)).toEqual([
      'f.yaml:1:1: about: This field is required.',
      'f.yaml:1:1: abut: There is no such field. Did you mean about?',
      'f.yaml:2:1: clock: tomorrow is not an instant. Expected an instant from 1970 to 9999 such as 2026-01-31T10:00:00Z, or a duration such as P1M or -P20D.',
      'f.yaml:4:5: A step has exactly one of call, pay, advance, set, fault and expect.',
      'f.yaml:4:5: cal: There is no such field. Did you mean call?',
      'f.yaml:5:5: There is no operation createCustomr. Did you mean createCustomer?',
      'f.yaml:7:5: tims: There is no such field. Did you mean times?',
      'f.yaml:8:14: stats: There is no such field. Did you mean status?',
      'f.yaml:9:5: advance: 1 month is not an instant. Expected an instant from 1970 to 9999 such as 2026-01-31T10:00:00Z, or a duration such as P1M or -P20D.',
      'f.yaml:11:5: body: There is no such field.',
    ]);
  });

  it.each<[string, string, string]>([
    [
      'an unknown name',
      '$acm.id',
      'f.yaml:5:12: $acm.id names no earlier response. Did you mean $acme?',
    ],
    ['a name given later', '$later.id', 'f.yaml:5:12: $later.id names no earlier response.'],
    ['malformed', '$acme..id', 'f.yaml:5:12: $acme..id cannot be read.'],
    ['without a valid duration', '$now-3days', 'f.yaml:5:12: $now-3days cannot be read.'],
  ])('rejects a reference that is %s', (_, reference, problem) => {
    const text = STEPS(
      '  - {call: createCustomer, as: acme, body: {name: A}}',
      '  - call: createVendor',
      `    body: {name: ${reference}}`,
      '  - {call: createCustomer, as: later, body: {name: B}}',
    );

    expect(problemsOf(text)).toEqual([problem]);
  });

  it('reports errors of bodies, parameters and references together with those of form', () => {
    const text = STEPS(
      '  - {call: createCustomer, as: acme, body: {nam: Acme, email: nobody}}',
      '  - {call: createCustomr}',
      '  - {call: createCustomer, body: {}, expect: 422}',
      '  - {call: getCustomer, path: {customerId: $acm.id}}',
      '  - call: adjustWallet',
      '    path: {customerId: $acme.id}',
      '    body: {transaction_id: $acme.id, asset: USD, amount: ten, reason: gift}',
    );

    expect(problemsOf(text)).toEqual([
      'f.yaml:3:38: name: This field is required.',
      'f.yaml:3:45: nam: There is no such field. Did you mean name?',
      'f.yaml:3:56: email: Expected an email address.',
      'f.yaml:4:6: There is no operation createCustomr. Did you mean createCustomer?',
      'f.yaml:6:32: $acm.id names no earlier response. Did you mean $acme?',
      'f.yaml:9:50: amount: Expected a number.',
    ]);
  });

  it('checks parameters against the operation', () => {
    const text = STEPS(
      '  - call: getCustomer',
      '    path: {customerid: a}',
      '  - {call: listCustomers, query: {limt: 1}, body: {}}',
    );

    expect(problemsOf(text)).toEqual([
      'f.yaml:4:5: getCustomer needs path.customerId.',
      'f.yaml:4:12: getCustomer has no path parameter customerid. Did you mean customerId?',
      'f.yaml:5:35: listCustomers has no query parameter limt. Did you mean limit?',
      'f.yaml:5:45: listCustomers takes no body.',
    ]);
  });

  it.each<[string, string, string]>([
    ['is empty', '', 'f.yaml:1:1: Expected an object.'],
    ['is a list', '- a', 'f.yaml:1:1: Expected an object.'],
    ['breaks off', 'about: "x', 'f.yaml:1:10: Missing closing "quote'],
    ['is broken JSON', '{"about": "x",\n "steps": [}', 'f.yaml:2:12:'],
    ['has a key twice', 'about: x\nabout: y\nsteps: []', 'f.yaml:2:1: Map keys must be unique'],
    ['has two documents', 'about: x\nsteps: []\n---\na: 1', 'f.yaml:3:1: Source contains multiple'],
    [
      'is a bomb of aliases',
      'a: &a [1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]',
      'f.yaml:1:1: Excessive alias count',
    ],
    [
      'contains itself',
      'about: x\nsteps:\n  - call: createVendor\n    body: &b {name: x, metadata: *b, data: [*b]}',
      'f.yaml:1:1: It is nested deeper than 100, or in itself.',
    ],
    [
      'is nested deeper than any request',
      `{"about": "x", "steps": [{"call": "createVendor", "body": ${'['.repeat(9_000)}${']'.repeat(9_000)}}]}`,
      'f.yaml:1:1: It is nested deeper than 100, or in itself.',
    ],
  ])('rejects a text that %s', (_, text, problem) => {
    expect(problemsOf(text)[0]).toContain(problem);
  });

  it('reports lines of JSON too', () => {
    const text = '{"about": "x",\n "steps": [\n  {"call": "listCustomers",\n   "qery": {}}]}';

    expect(problemsOf(text)).toEqual([
      'f.yaml:4:4: qery: There is no such field. Did you mean query?',
    ]);
  });

  it('finds the same positions in JSON as the YAML reader', () => {
    const library = new URL('../../fixtures/', import.meta.url);
    for (const file of readdirSync(library).filter((name) => name.endsWith('.yaml'))) {
      const { value } = readText(readFileSync(new URL(file, library), 'utf8'));
      const text = JSON.stringify(
        { ...(value as object), '"odd\\': [[], {}, 'a"]', -1.5e3] },
        null,
        1,
      );
      const [yaml, json] = [readText(text), readJson(text)];
      for (const place of placesOf(JSON.parse(text)))
        expect([place, json?.positionOf(place)]).toEqual([place, yaml.positionOf(place)]);
    }
  });

  it.each([
    ['with tabs and CRLF', '{\r\n\t"a": [\r\n\t\t1,\t2]}', ['a', 1], [3, 6]],
    ['with a key twice', '{"a": {"b": 1},\n "a": {"b":\n 2}}', ['a', 'b'], [2, 8]],
    ['with escapes', '{"x": "\\"}",\n "\\u0061\\/": {"ü": 1}}', ['a/', 'ü'], [2, 15]],
    [
      'with millions of escapes',
      `{"a": "${'\\\\\\n'.repeat(3_000_000)}", "x": "\\\\",\n "b": 1}`,
      ['b'],
      [2, 2],
    ],
    [
      'too deep for the YAML reader',
      `{"a": ${'['.repeat(20_000)}${']'.repeat(20_000)},\n "b": 1}`,
      ['b'],
      [2, 2],
    ],
  ])('finds positions in JSON %s', (_, text, place, [line, column]) => {
    expect(readJson(text)?.positionOf(place)).toEqual({ line, column });
  });

  it('finds positions in large JSON', () => {
    const steps = Array.from({ length: 40_000 }, (_, index) => ({ call: `call ${index}` }));
    const read = readJson(JSON.stringify({ steps }, null, 1));
    const [first, last] = [0, 39_999].map((index) => read?.positionOf(['steps', index, 'call']));

    expect([first, last]).toEqual([
      { line: 4, column: 4 },
      { line: 120_001, column: 4 },
    ]);
  });
});

function* placesOf(value: unknown, place: Place = []): Generator<Place> {
  yield place;
  yield [...place, 'not there'];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* placesOf(inner, [...place, key]);
}
