import {
  call,
  check,
  expect,
  keyHeaders,
  type LooseParts,
  onlyOnOurs,
  send,
  unique,
} from '../kit/index.ts';

/** A name of exactly this many characters that nothing else uses. */
const nameOf = (length: number) => unique('k').padEnd(length, '0');

/** Names of keys at the limits of their form. */
const namesWithin = () => {
  const long = nameOf(62);
  const longest = [`${long}a`, `${long}b`, `${long}-`, `${nameOf(31)}${'z'.repeat(32)}`];
  return [
    'a',
    '0',
    'z9',
    '0-',
    'a-',
    'a--b-',
    'test',
    'key-live-x',
    unique('key'),
    long,
    ...longest,
  ];
};

/** Names that are almost of the form. */
const namesBeyond = (name: string) => [
  ...['', '-', '_', '.', `-${name}`, `_${name}`, nameOf(64), nameOf(65), nameOf(1000)],
  ...[`${name}_x`, `${name}.`, `${name}!`, `${name}/x`, `${name}%20`, `${name},`, `${name};x`],
  ...[`${name} ${name}`, `"${name}"`, `${name}:`, `é${name}`, `${name}é`, `${name}~`, `*`],
  ...[name.toUpperCase(), `A${name}`, `${name}Z`, `Contract${name}`],
];

/** Beginnings that are almost those of a key. */
const STARTS = [
  ...['', '_', 'test_', '_test_', 'key_', 'key-test-', 'key_test-', 'key-live_', 'key__test_'],
  ...[
    'key_prod_',
    'key_testlive_',
    'key_tests_',
    'key_tes_',
    'key_test_live_',
    'keytest',
    'keytest_',
  ],
  ...['KEY_test_', 'Key_test_', 'key_TEST_', 'key_Live_', 'xkey_test_', '_key_test_', 'sk_test_'],
];

check(
  'X-77',
  { requirement: 'R-AUTH-02', level: 'ASSUMED', effect: 'E1', assumes: ['A-102', 'A-103'] },
  'keys with names of 1 to 63 small letters, digits and hyphens, in each environment and either header → one account for each name',
  async () => {
    onlyOnOurs('it opens a world for every key');
    const contexts: string[] = [];
    for (const name of namesWithin())
      for (const environment of ['test', 'live']) {
        const key = `key_${environment}_${name}`;
        const ways = [{ key }, { key: null, headers: keyHeaders({ bearer: () => key }) }];
        for (const way of ways) {
          const { body } = await call('getAccountContext', way, [200]);
          expect(body, key).toMatchObject({ name, environment });
          contexts.push(body.account_id);
        }
      }
    // A name is one account, in both environments.
    expect(new Set(contexts).size).toBe(contexts.length / 4);
    expect(contexts.every((id, index) => id === contexts[index - (index % 4)])).toBe(true);
  },
);

check(
  'X-83',
  { requirement: 'R-AUTH-02', level: 'ASSUMED', effect: 'E1', assumes: ['A-102', 'A-103'] },
  'keys with a name that is empty, longer, begins with a hyphen or has any other character, and with another beginning, in either header or in both → 401 without a body',
  async () => {
    onlyOnOurs('it opens a world for every key');
    const name = unique('key');
    const keys = [
      ...['key', 'key_test', 'key_live', 'key_live_'],
      ...namesBeyond(name).map((each) => `key_test_${each}`),
      ...STARTS.map((start) => start + name),
    ];
    for (const [index, key] of keys.entries()) {
      const bearer = keyHeaders({ bearer: () => key });
      const ways = [{ key }, { key: null, headers: bearer }, { key, headers: bearer }];
      const { status, text } = await send('getAccountContext', ways[index % 3] as LooseParts);
      expect([status, text], key).toEqual([401, '']);
    }
  },
);
