import { createEmulator } from '../src/emulator.ts';

/** A world with 1,000 customers and the 10,000 requests that made it, half of them usage. */
const CUSTOMERS = 1_000;
const REQUESTS = 10_000;

const emulator = createEmulator({
  settings: {
    port: 0,
    clock: 'frozen',
    clock_now: '2026-01-15T12:00:00Z',
    fixture: '',
    request_log: REQUESTS,
  },
});
const url = await emulator.listen();

const PRICE = {
  name: 'Calls',
  type: 'usage_based',
  billing_model: { type: 'real_time' },
  usage_calculation: { event_type: 'call', usage_type: 'unit' },
  pricing: [{ asset: 'USD', values: [{ unit_price: 0.01 }] }],
};

async function post(path: string, body: object): Promise<{ readonly id: string }> {
  const headers = {
    Authorization: 'Bearer key_test_emulator',
    'Content-Type': 'application/json',
  };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  const text = await answer.text();
  return text === '' ? { id: '' } : JSON.parse(text);
}

const uuid = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Some hours of January, so that plots have days to show. */
const moment = (place: number): string =>
  `2026-01-${String((place % 14) + 1).padStart(2, '0')}T${String(place % 24).padStart(2, '0')}:00:00Z`;

await post('/products', { name: 'Calls', code: 'calls', publish: true, prices: [PRICE] });
const subscriptions = [{ products: [{ code: 'calls' }] }];
let customer = '';
for (let count = 1; count <= CUSTOMERS; count += 1) {
  const names = { name: `Customer ${count}`, external_id: `customer-${count}` };
  customer = (await post('/customers', { ...names, subscriptions })).id;
}
for (let count = 0; count < REQUESTS - CUSTOMERS - 1; count += 1) {
  const event = { id: uuid(count), event_type: 'call', occurred_at: moment(count), data: {} };
  const number = count % 2 ? CUSTOMERS : (count % CUSTOMERS) + 1;
  await post('/events', { customer_external_id: `customer-${number}`, events: [event] });
}
process.send?.({ url, values: { customer } });
