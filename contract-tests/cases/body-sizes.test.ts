import {
  aFreshCustomer,
  api,
  aWebhook,
  call,
  check,
  expect,
  type LooseParts,
  type OperationId,
  refused,
  unique,
  usageEvent,
  useUp,
} from '../kit/index.ts';
import { idOf, nowhere, writes } from './shared/cross-cutting.ts';
import { listed } from './shared/events.ts';
import { long } from './shared/field-values.ts';
import { DATA, log, TOPIC } from './shared/webhooks.ts';

const LIMIT = 2 ** 20;
const LIMIT_OF_EVENTS = 8 * LIMIT;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** A JSON object of exactly this many bytes, with spaces at its end or its start. */
function padded(body: object, bytes: number, isBefore = false): string {
  const text = JSON.stringify(body);
  const spaces = ' '.repeat(bytes - bytesOf(text));
  return isBefore ? spaces + text : `${text.slice(0, -1)}${spaces}}`;
}

/** The operations that take a body. */
const TAKING: readonly OperationId[] = writes.filter(({ method }) => method !== 'DELETE').map(idOf);

/** A thousand events that together are larger than other bodies may be, with texts of four bytes a character. */
const largeBatch = () =>
  Array.from({ length: 1000 }, (_, index) =>
    usageEvent('contract.large', { description: long(1024), subject: unique(`${index}`) }),
  );

check(
  'X-75',
  { requirement: 'R-ERR-22', level: 'ASSUMED', effect: 'E3', assumes: 'A-201' },
  'each operation with a body of exactly 1 MiB, events of 8 MiB, and with one byte more, spaces before or within → read; 413',
  async () => {
    for (const [index, operation] of TAKING.entries()) {
      const path = nowhere(operation);
      const limit = operation === 'submitEvents' ? LIMIT_OF_EVENTS : LIMIT;
      const raw = padded({ nothing: true }, limit + 1, index % 2 === 0);
      const { status } = (await call(operation, { path, raw }, [413])).body;
      expect(status, `${operation}: status of the problem`).toBe(413);
      await call(operation, { path, raw: padded({ nothing: true }, limit) }, [404, 422]);
    }
  },
);

check(
  'X-82',
  { requirement: 'R-ERR-22', level: 'ASSUMED', effect: 'E3', assumes: 'A-201' },
  'a customer and a test event of exactly 1 MiB, counted in bytes, and of one byte more → kept with all of it; 413, and nothing is created',
  async (t) => {
    const named = { name: 'Contract', external_id: unique('large') };
    const wide = { ...named, metadata: { wide: '' } };
    const [fits, over] = [LIMIT, LIMIT + 1].map((bytes) => ({ raw: padded(named, bytes) }));
    await call('createCustomer', over as LooseParts, [413]);
    // As many characters as fit, in more bytes.
    const note = '漢'.repeat(LIMIT - bytesOf(JSON.stringify(wide)));
    await call('createCustomer', { body: { ...named, metadata: { wide: note } } }, [413]);
    await call('listCustomers', { query: { external_id: named.external_id } }, [404]);
    await useUp('customer', () => call('createCustomer', fits as LooseParts, [201]));

    const webhook = await aWebhook(t);
    const path = { webhookId: webhook.id, topic: TOPIC };
    const data = { ...DATA, text: 'é'.repeat(LIMIT / 4), list: [''] };
    const rest = LIMIT - bytesOf(JSON.stringify(data));
    const whole = { ...data, list: ['x'.repeat(rest)] };
    await call('testWebhook', { path, body: { ...whole, list: ['x'.repeat(rest + 1)] } }, [413]);
    await call('testWebhook', { path, body: whole }, [202]);
    const logged = await log({ destination_id: [webhook.id] });
    expect(logged.map((item) => item.data)).toEqual([whole]);
  },
);

check(
  'X-76',
  {
    requirement: ['R-ERR-22', 'R-LIM-17'],
    level: 'ASSUMED',
    effect: 'E3',
    assumes: ['A-201', 'A-801'],
  },
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
