import { describe, expect, it } from 'vitest';
import type { TestClient } from '../testing/client.ts';
import { PostgresEmulators } from '../testing/postgres/emulators.ts';
import { hasPostgres } from '../testing/postgres/server.ts';

describe.skipIf(!hasPostgres)('worlds that several emulators hold', () => {
  const emulators = new PostgresEmulators();
  let one: TestClient;
  let two: TestClient;
  const start = async (settings = {}) => {
    one = await emulators.startReachable(settings);
    two = await emulators.startReachable(settings);
    await one.api('createCustomer', { key: 'key_test_one', body: { name: 'Ann' } }, 201);
    await two.api('createCustomer', { key: 'key_test_two', body: { name: 'Bob' } }, 201);
  };
  const sandboxesAt = async ({ control }: TestClient, key: string) =>
    (await control('listSandboxes', { key }, 200)).items.map(({ name }: { name: string }) => name);

  it('are all listed by each: sandboxes, the menu of the inspector, metrics', async () => {
    await start();
    const sandboxes = [
      await sandboxesAt(one, 'key_test_one'),
      await sandboxesAt(two, 'key_test_two'),
    ];
    const menu = await one.http.get('/_emulator/ui?key=key_test_one');
    const { text } = await two.http.get('/_emulator/metrics');

    expect(sandboxes).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ]);
    expect(menu.text).toContain('/_emulator/ui?key=key_test_two');
    expect(text).toContain('billing_emulator_worlds 1\n');
    expect(text).toContain('billing_emulator_known_worlds 2\n');
  });

  it('count together for the limit of sandboxes', async () => {
    await start({ limits: { MAX_SANDBOXES: 2 } });
    const body = { name: 'three' };
    // Which worlds there are is looked up every three seconds, and for each list.
    await sandboxesAt(one, 'key_test_one');
    const { status, text } = await one.send('listCustomers', { key: 'key_test_three' });
    const created = await two.http
      .post('/_emulator/sandboxes')
      .set('Authorization', 'Bearer key_test_two')
      .send(body);

    expect([status, created.status]).toEqual([503, 503]);
    expect(text).toContain('All 2 sandboxes are in use');
  });

  it('are created under one name once, and with a list of keys known to each', async () => {
    await start({ keys: ['key_test_one', 'key_test_two'] });
    const create = (client: TestClient, key: string, status: number) =>
      client.control('createSandbox', { key, body: { name: 'made' } }, status);
    await create(one, 'key_test_one', 201);
    await create(two, 'key_test_two', 409);
    const { status } = await two.send('listCustomers', { key: 'key_test_made' });
    await one.control('deleteSandbox', { key: 'key_test_one', query: { name: 'made' } }, 204);
    await sandboxesAt(two, 'key_test_two');
    const gone = await two.send('listCustomers', { key: 'key_test_made' });

    expect([status, gone.status]).toEqual([200, 401]);
  });

  it('are copied and deleted wherever they are held', async () => {
    await start();
    const copy = { name: 'copy', sandbox: 'two' };
    const made = await one.control('createSandbox', { key: 'key_test_one', body: copy }, 201);
    await two.control('deleteSandbox', { key: 'key_test_two', query: { name: 'one' } }, 204);

    expect(made.worlds).toMatchObject([{ records: { customers: 1 } }]);
    expect(await sandboxesAt(two, 'key_test_two')).toEqual(['copy', 'two']);
    expect((await one.api('listCustomers', { key: 'key_test_two' }, 200)).total_count).toBe(1);
  });
});

describe.skipIf(!hasPostgres)('an emulator that stops', () => {
  const emulators = new PostgresEmulators();

  it('hands over at once, and tells its clients to try another one', async () => {
    const [one, two] = [await emulators.startReachable(), await emulators.startReachable()];
    const key = 'key_test_one';
    await one.api('createCustomer', { key, body: { name: 'Ann' } }, 201);
    const headers = { Authorization: `Bearer ${key}` };
    const ask = ({ url }: { readonly url: string }) =>
      fetch(`${url}/customers`, { headers }).then(
        ({ status, headers: got }) => ({ status, retry: got.get('retry-after') }),
        ({ cause }) => ({ status: 0, retry: String(cause.code) }),
      );
    const waiting = fetch(`${one.url}/customers`, {
      headers: { ...headers, 'X-Emulator-Fault': 'latency=60s' },
    });
    await ask(two);
    const stopped = emulators.stop(one);
    const asked = [];
    let isStopped = false;
    void stopped.then(() => {
      isStopped = true;
    });
    // Who is told that it stops asks the other one from then on.
    for (let told = 0; told !== 503; ) {
      const answer = await ask(one);
      told = answer.status;
      asked.push(answer, await ask(two));
    }
    while (!isStopped) asked.push(await ask(two));
    const ended = await waiting;

    expect([ended.status, ended.headers.get('retry-after')]).toEqual([503, '0']);
    expect(await ask(two)).toEqual({ status: 200, retry: null });
    const kinds = new Set(asked.map((each) => JSON.stringify(each)));
    for (const kind of kinds)
      expect(['{"status":200,"retry":null}', '{"status":503,"retry":"0"}']).toContain(kind);
    expect(kinds.has('{"status":503,"retry":"0"}')).toBe(true);
  });
});
