import { createEmulator } from '../src/emulator.ts';
import { report } from './load.ts';

/** The emulator as it is started, with 200 customers beside those of the quickstart fixture. */
const emulator = createEmulator({
  settings: {
    port: 0,
    clock: 'frozen',
    clock_now: '2026-01-15T12:00:00Z',
    sandbox_fixture: 'quickstart',
  },
});
const url = await emulator.listen();
const headers = { Authorization: 'Bearer key_test_bench', 'Content-Type': 'application/json' };
let customer = '';
for (let count = 0; count < 200; count += 1) {
  const body = JSON.stringify({ name: `Customer ${count}`, external_id: `customer-${count}` });
  const response = await fetch(`${url}/customers`, { method: 'POST', headers, body });
  customer = ((await response.json()) as { id: string }).id;
}
report(url, { customer });
