import { describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import {
  aStory,
  aSubscriber,
  CONTENT,
  DECLINES_LATER,
  START,
  type Story,
} from '../../testing/story.ts';

const RENEWAL = '2026-02-28T10:00:00Z';

/** Uses an image and explains that event. */
async function explained({ use, api, control }: Story): Promise<AnyBody> {
  await use('image.generated');
  const { items } = await api('listEvents', { query: { limit: 1 } }, 200);
  return control('explain', { path: { id: items[0].id } });
}

describe('explain, subscriptions', () => {
  it('says that the usage of a past-due subscription was free', async () => {
    const acme = await aStory(START, createTestClient({ past_due_usage: 'free' }));
    await acme.product('plan', CONTENT);
    const { id } = await acme.subscribeTo('plan');
    await acme.settle(id, 'succeeded', DECLINES_LATER);
    await acme.advance(RENEWAL);

    expect(await explained(acme)).toMatchObject({
      products: [],
      subscriptions_not_asked: [
        {
          subscription_id: id,
          reason: 'it was past due, and past_due_usage was free (now: action_required)',
        },
      ],
      warnings: [
        { message: expect.stringContaining('had no subscription that bills usage of 2026-02-28') },
      ],
    });
  });

  it('prefers the latest of subscriptions that are all past due', async () => {
    const { acme, id } = await aSubscriber(DECLINES_LATER);
    const { id: later } = await acme.subscribeTo('plan');
    await acme.settle(later, 'succeeded', DECLINES_LATER);
    await acme.advance(RENEWAL);
    const { products } = await explained(acme);

    expect(products).toHaveLength(2);
    expect(products).toMatchObject([
      { subscription_id: later, asked: true, past_due: true },
      {
        subscription_id: id,
        asked: false,
        past_due: true,
        reason: 'a subscription that started later held the product too',
      },
    ]);
  });

  it('does not list a subscription that was created after the event, at the same instant', async () => {
    const { acme } = await aSubscriber();
    const { event } = await explained(acme);
    await acme.subscribeTo('plan');
    const again = await acme.control('explain', { path: { id: event.event_id } });

    expect(again.subscriptions_not_asked).toEqual([]);
  });
});
