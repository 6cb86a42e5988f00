import {
  adjustment,
  aFreshCustomer,
  api,
  call,
  check,
  expect,
  type OperationId,
  refused,
  unique,
  usageEvent,
} from '../kit/index.ts';
import { listed } from './shared/events.ts';
import { idOf, nowhere, writes } from './shared/one-of-each.ts';
import { long } from './shared/values.ts';

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

/** Content types that are not, or almost, that of JSON in UTF-8. */
const OTHER_TYPES = [
  'text/plain',
  'text/json',
  'application/jsonx',
  'application/json-patch+json',
  'application/json; charset=latin1',
  'application/json, text/plain',
  'xapplication/json',
];

check(
  'X-93',
  { requirement: 'R-CONV-01', effect: 'E3' },
  'application/json with a charset, in any letter case and spacing → read as JSON',
  async () => {
    for (const contentType of [
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'Application/JSON ; Charset="utf-8"',
    ]) {
      const name = unique('charset ü');
      const raw = JSON.stringify({ name });
      const { body } = await call('createVendor', { raw, contentType }, [201]);
      const { body: shown } = await call('getVendor', { path: { vendorId: body.id } }, [200]);

      expect(shown.name, contentType).toBe(name);
    }
  },
);

check(
  'X-50',
  { requirement: 'R-ERR-22', effect: 'E3', assumes: 'A-202 A-201' },
  'bodies that are incomplete, not UTF-8, not an object, too deep, of another type or encoding → 400 or 415; a number out of range or of another type → 422',
  async () => {
    for (const raw of UNREADABLE) await call('createCustomer', { raw }, [400]);
    const raw = '{"name": "Contract"}';
    for (const contentType of OTHER_TYPES)
      await call('createCustomer', { raw, contentType }, [400]);
    await call('createCustomer', { raw, headers: { 'content-encoding': 'gzip' } }, [415]);
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
  { requirement: 'R-CONV-27 R-ERR-22', effect: 'E3', assumes: 'A-202 A-303' },
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
    const made = await call('createCustomer', { raw: twice }, [201]);
    const shown = await api('getCustomer', { path: { customerId: made.body.id } }, 200);

    expect(shown.name).toBe('Contract 2/😀');
  },
);

const LIMIT = 2 ** 20;
const LIMIT_OF_EVENTS = 8 * LIMIT;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** A JSON object of exactly this many bytes, with spaces at its end or its start. */
function padded(body: object, bytes: number, isBefore = false): string {
  const text = JSON.stringify(body);
  const spaces = ' '.repeat(bytes - bytesOf(text));
  return isBefore ? spaces + text : `${text.slice(0, -1)}${spaces}}`;
}

/** A body of more bytes than characters. */
const WIDE = { nothing: '漢' };

/** The operations that take a body. */
const TAKING: readonly OperationId[] = writes.filter(({ method }) => method !== 'DELETE').map(idOf);

/** A thousand events that together are larger than other bodies may be, with texts of four bytes a character. */
const largeBatch = () =>
  Array.from({ length: 1000 }, (_, index) =>
    usageEvent('contract.large', { description: long(1024), subject: unique(`${index}`) }),
  );

check(
  'X-75',
  { requirement: 'R-ERR-22', effect: 'E3', assumes: 'A-201' },
  'a body of exactly 1 MiB, or 8 MiB for events, counted in bytes and filled up with spaces before or within it, to each operation → read; one byte more → 413',
  async () => {
    for (const [index, operation] of TAKING.entries()) {
      const path = nowhere(operation);
      const limit = operation === 'submitEvents' ? LIMIT_OF_EVENTS : LIMIT;
      const raw = padded(WIDE, limit + 1, index % 2 === 0);
      const { status } = (await call(operation, { path, raw }, [413])).body;
      expect(status, `${operation}: status of the problem`).toBe(413);
      await call(operation, { path, raw: padded(WIDE, limit) }, [404, 422]);
    }
  },
);

check(
  'X-76',
  { requirement: 'R-ERR-22 R-LIM-17', effect: 'E3', assumes: 'A-201 A-801' },
  'a batch of a thousand events with long texts, of 4 MB and of exactly 8 MiB → all of them stored, once, with their texts; one byte more → 413; one event more, a new or a repeated one → rejected, nothing stored',
  async () => {
    const { id: customer_id } = await aFreshCustomer();
    const events = largeBatch();
    const body = { customer_id, events };
    expect(bytesOf(JSON.stringify(body))).toBeGreaterThan(4 * LIMIT);
    const count = async () =>
      (await api('listEvents', { query: { customer_id, limit: 1 } }, 200)).total_count;
    await call('submitEvents', { raw: padded(body, LIMIT_OF_EVENTS + 1) }, [413]);
    // One more than a batch has, also if it is a repeated event.
    for (const more of [usageEvent('contract.large'), events[0]])
      await refused('submitEvents', { body: { ...body, events: [...events, more] } });
    expect(await count()).toBe(0);
    await call('submitEvents', { raw: padded(body, LIMIT_OF_EVENTS) }, [204]);
    await call('submitEvents', { body }, [204]);
    expect(await count()).toBe(1000);
    await refused('submitEvents', { body: { ...body, events: [...events, events[0]] } });
    const shown = await listed({ customer_id });

    expect(shown.map(({ id }) => id).sort()).toEqual(events.map(({ id }) => id).sort());
    for (const { description } of shown) expect(description === long(1024)).toBe(true);
  },
);
