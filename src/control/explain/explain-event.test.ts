import { describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { anExplainedUser, MODEL_TOKENS, readExplanation } from '../../testing/explained.ts';
import { anEvent } from '../../testing/usage.ts';

const client = createTestClient();
const { api, control } = client;

const read = (key: string, path: string) => readExplanation(client, key, path);

describe('explain', () => {
  it('gives the reason why each price charged no fee', async () => {
    const user = await anExplainedUser(client, {
      prices: [
        { ...MODEL_TOKENS, values: MODEL_TOKENS.values.slice(0, 1) },
        { name: 'Images', event_type: 'image' },
        {
          name: 'Minutes',
          usage_type: 'volume',
          volume_field: 'minutes',
          values: [{ volume_rate: 1 }],
        },
      ],
    });
    const { fees, without_fee, warnings, ...event } = await user.explained({
      data: { model: 'small', tokens: 5, minutes: '5' },
    });

    expect(fees).toEqual([]);
    expect(event.total_fees).toBeUndefined();
    expect(without_fee.map(({ name, cause, reason }: AnyBody) => [name, cause, reason])).toEqual([
      ['Tokens', 'unmatched_usage', 'it has no value for model "small"'],
      ['Images', 'other_event_type', 'it counts image, the event is call'],
      [
        'Minutes',
        'unusable_volume',
        'it counts minutes, which is "5" and must be a number of 0 or more',
      ],
    ]);
    expect(without_fee[0].matching[0].reason).toBe('needs model large, the event has small');
    expect(warnings.map(({ kind }: AnyBody) => kind)).toEqual([
      'unmatched_usage',
      'unusable_volume',
    ]);
    const text = await read(user.key, `${event.event.event_id}`);
    expect(text.split('\n')[0]).toBe('Why does this usage event have no fee?');
  });

  it('lists subscriptions that were not priced, because inactive or started earlier', async () => {
    const user = await anExplainedUser(client, {});
    const { key, customerId, productId } = user;
    const path = { customerId };
    const body = { products: [{ id: productId }] };
    const { id: newer } = await api('createSubscription', { key, path, body }, 201);
    const both = await user.explained();
    const [older] = both.products
      .filter(({ asked }: AnyBody) => !asked)
      .map(({ subscription_id }: AnyBody) => subscription_id);
    const patch = {
      key,
      path: { customerId, subscriptionId: older },
      body: { status: 'inactive' },
    };
    await api('updateSubscription', patch, 204);
    const one = await user.explained();

    expect(both.fees[0].product).toMatchObject({
      subscription_id: newer,
      reason: 'of 2 subscriptions that held it then, the one that started last',
    });
    expect(one.products.map(({ subscription_id }: AnyBody) => subscription_id)).toEqual([newer]);
    expect(one.subscriptions_not_asked).toMatchObject([{ subscription_id: older }]);
    expect((await user.again(both.event.event_id)).subscriptions_not_asked).toEqual([]);
  });

  it('explains an event of a customer without any subscription', async () => {
    const user = await anExplainedUser(client, { customer: { subscriptions: [] } });
    const event = await user.explained();

    expect(event).toMatchObject({
      products: [],
      fees: [],
      without_fee: [],
      warnings: [{ kind: 'no_subscription' }],
    });
    expect(await read(user.key, `${event.event.event_id}`)).toContain(
      'no subscription billed usage',
    );
  });

  it('finds events of a connected account for the platform, but not the reverse', async () => {
    const user = await anExplainedUser(client, {});
    const { key } = user;
    const own = await user.explained();
    const { id } = await api('createConnectedAccount', { key, body: { name: 'Sub' } }, 201);
    const headers = { 'X-Service-Account': id };
    const customer = await api('createCustomer', { key, headers, body: { name: 'End' } }, 201);
    const event = anEvent();
    const body = { customer_id: customer.id, events: [event] };
    await api('submitEvents', { key, headers, body }, 204);

    const found = await control('explain', { key, path: { id: event.id } }, 200);
    const misspelt = event.id.replace(/^0/, 'g');
    const { detail } = await control('explain', { key, path: { id: misspelt } }, 404);
    expect(detail).toContain(`; the nearest is ${event.id}.`);
    expect(found.owner).toBe(id);
    const path = { id: own.event.event_id };
    await control('explain', { key, headers, path }, 404);
    await control('explain', { key, headers, path: { id: own.fees[0].fee_id } }, 404);
  });
});
