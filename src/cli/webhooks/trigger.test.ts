import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { performCommand, serveForFile } from '../../testing/command.ts';

const settings = { fixture: '', clock: 'frozen', clock_now: '2026-01-15T12:00:00Z' };
const { url } = await serveForFile(settings);

const run = (...args: readonly string[]) => performCommand([...args, '--url', url]);

describe('billing-emulator trigger', () => {
  it('activates a subscription, whose event is sent', async () => {
    await run('call', 'createWebhook', 'url=http://127.0.0.1:9/hook', '--key', 'key_test_caused');
    const caused = (...more: readonly string[]) =>
      run('trigger', 'subscription.activated', '--json', '--key', 'key_test_caused', ...more);
    const first = JSON.parse((await caused()).out);
    const second = JSON.parse((await caused('--customer', first.customer_id)).out);
    const client = createClient({ url, key: 'key_test_caused' });
    const { items } = await client.call('listWebhookEvents');
    const customer = await client.call('getCustomer', { path: { customerId: first.customer_id } });

    expect(items.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(items[1]?.data).toMatchObject({
      customer_id: first.customer_id,
      subscription_id: first.subscription_id,
    });
    expect(customer.subscriptions.map(({ status }) => status)).toEqual(['active', 'active']);
  });

  it('sends a test event, and says how many destinations it reaches', async () => {
    const unheard = await run('trigger', 'subscription.activated', '--bare');
    const given = await run('trigger', 'subscription.activated', '--data', '{"a":1}', '--json');
    const { id } = JSON.parse(given.out) as { id: string };
    const log = await run('call', 'listWebhookEvents', 'limit=5', '--json');

    expect(unheard.out).toMatch(
      /^evt_\w{26} {2}to no destination: no enabled destination has this topic\nA test event: nothing/,
    );
    expect(JSON.parse(log.out)).toMatchObject({ items: [{ id, data: { a: 1 } }, {}] });
  });

  it('exits 1 for an unknown topic or destination, and 2 for data that is not an object', async () => {
    const [topic, misspelt, destination, data, unreachable] = await Promise.all([
      run('trigger', 'invoice.paid'),
      run('trigger', 'subscription.actived'),
      run('trigger', 'subscription.activated', '--destination', 'dst_none'),
      run('trigger', 'subscription.activated', '--data', '7'),
      performCommand(['trigger', 'subscription.actived', '--url', 'http://127.0.0.1:9']),
    ]);

    expect([topic.code, destination.code, data.code]).toEqual([1, 1, 2]);
    expect([topic.errors, misspelt.code, misspelt.errors]).toEqual([
      'No webhook has the topic invoice.paid. Expected subscription.activated.\n',
      1,
      'No webhook has the topic subscription.actived. Did you mean subscription.activated?\n',
    ]);
    expect(destination.errors).toContain('Not found in that world.');
    expect(data.errors).toContain('JSON object');
    expect([unreachable.code, unreachable.errors]).toEqual([
      6,
      expect.stringMatching(/127.0.0.1:9/),
    ]);
  });
});
