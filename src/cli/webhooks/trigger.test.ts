import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { performCommand, serveForFile } from '../../testing/command.ts';

const settings = { fixture: '', clock: 'frozen', clock_now: '2026-01-15T12:00:00Z' };
const { url } = await serveForFile(settings);

const run = (...args: readonly string[]) => performCommand([...args, '--url', url]);

describe('billing-emulator trigger', () => {
  it('activates a subscription, whose event is sent', async () => {
    const client = createClient({ url, key: 'key_test_caused' });
    await client.call('createWebhook', { body: { url: 'http://127.0.0.1:9/hook' } });
    const cause = async () =>
      JSON.parse(
        (await run('trigger', 'subscription.activated', '--json', '--key', 'key_test_caused')).out,
      );
    const [first, second] = [await cause(), await cause()];
    const { out } = await run('trigger', 'subscription.activated');
    const { items } = await client.call('listWebhookEvents');
    const customer = await client.call('getCustomer', { path: { customerId: first.customer_id } });

    expect(out).toMatch(
      /^evt_\w{26} {2}to no destination: .+\nSubscription sub_\w+ of customer cust_\w+ was activated\.\n$/,
    );
    expect(items.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(items[1]?.data).toMatchObject({
      customer_id: first.customer_id,
      subscription_id: first.subscription_id,
    });
    expect(customer.subscriptions.map(({ status }) => status)).toEqual(['active']);
  });

  it('sends a test event, and says how many destinations it reaches', async () => {
    const { out } = await run('trigger', 'subscription.activated', '--bare');

    expect(out).toMatch(
      /^evt_\w{26} {2}to no destination: no enabled destination has this topic\nA test event: nothing/,
    );
  });

  it('exits 1 for an unknown topic, and names the nearest', async () => {
    const [unknown, misspelt] = [
      await run('trigger', 'invoice.paid'),
      await run('trigger', 'subscription.actived'),
    ];

    expect([unknown.code, unknown.errors]).toEqual([
      1,
      'No webhook has the topic invoice.paid. Expected subscription.activated.\n',
    ]);
    expect(misspelt.errors).toContain('Did you mean subscription.activated?');
  });
});
