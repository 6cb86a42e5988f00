import {
  adjustment,
  aFreshCustomer,
  api,
  call,
  check,
  expect,
  unique,
  useUp,
} from '../kit/index.ts';

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Bodies that are not a valid JSON object. */
const UNREADABLE: readonly (string | Uint8Array)[] = [
  '{"name": "Contract"',
  '{"name": "Contract",}',
  "{'name': 'Contract'}",
  '[{"name": "Contract"}]',
  '"Contract"',
  'null',
  '',
  `{"name": "Contract", "metadata": ${nested(64)}}`,
  new Uint8Array([...new TextEncoder().encode('{"name": "'), 0xc3, 0x28, 0x22, 0x7d]),
];

check(
  'X-93',
  { requirement: 'R-CONV-01', level: 'MUST', effect: 'E3' },
  'application/json with a charset, in any letter case and spacing → read as JSON',
  async () => {
    for (const contentType of [
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'Application/JSON ; Charset="utf-8"',
    ]) {
      const name = unique('charset ü');
      const raw = JSON.stringify({ name });
      const { body } = await useUp('vendor', () =>
        call('createVendor', { raw, contentType }, [201]),
      );
      const { body: shown } = await call('getVendor', { path: { vendorId: body.id } }, [200]);

      expect(shown.name, contentType).toBe(name);
    }
  },
);

check(
  'X-50',
  { requirement: 'R-ERR-22', level: 'ASSUMED', effect: 'E3', assumes: ['A-202', 'A-201'] },
  'bodies that are incomplete, not UTF-8, not an object, too deep, of another type or encoding, too long → 400, 415 or 413; a number out of range or of another type → 422',
  async () => {
    for (const raw of UNREADABLE) await call('createCustomer', { raw }, [400]);
    const raw = '{"name": "Contract"}';
    await call('createCustomer', { raw, contentType: 'text/plain' }, [400]);
    await call('createCustomer', { raw, headers: { 'content-encoding': 'gzip' } }, [415]);
    const long = `{"name": "Contract"${' '.repeat(2 ** 20)}}`;
    await call('createCustomer', { raw: long }, [413]);
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id };
    const moved = (amount: string) =>
      JSON.stringify(adjustment()).replace('"amount":10', `"amount":${amount}`);
    for (const amount of ['1e308', '-1e308', '1e15', '0.1e-10', '"5"', 'true', 'null'])
      await call('adjustWallet', { path, raw: moved(amount) }, [422]);
    for (const amount of ['NaN', '01', '+1', '.5', '1.', '0x10', 'Infinity'])
      await call('adjustWallet', { path, raw: moved(amount) }, [400]);

    expect((await api('getWallet', { path }, 200)).accounts).toEqual([]);
  },
);

check(
  'X-51',
  {
    requirement: ['R-CONV-27', 'R-ERR-22'],
    level: 'ASSUMED',
    effect: 'E3',
    assumes: ['A-202', 'A-303'],
  },
  'numbers with an exponent or trailing zeros, a duplicate key, escaped keys, whitespace everywhere → read as JSON defines them',
  async () => {
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id };
    for (const amount of ['1e1', '1.0E+1', '10.000', '100e-1', '0.00001e6']) {
      const raw = JSON.stringify(adjustment()).replace('"amount":10', `"amount":${amount}`);
      await call('adjustWallet', { path, raw: ` \n\t${raw}\r\n ` }, [201]);
    }
    const { accounts } = await api('getWallet', { path }, 200);
    expect(accounts.map(({ available }) => available)).toEqual([50]);
    const twice = '{"name": "Contract one", "n\\u0061me": "Contract \\u0032\\/\\ud83d\\ude00"}';
    const made = await useUp('customer', () => call('createCustomer', { raw: twice }, [201]));
    const shown = await api('getCustomer', { path: { customerId: made.body.id } }, 200);

    expect(shown.name).toBe('Contract 2/😀');
  },
);
