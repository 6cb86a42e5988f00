import { EVERY_MONTH, entitlement, fixedPrice, PER_IMAGE } from '../catalog.ts';
import { aStory } from '../story.ts';

/** For tests of due jobs: a plan with a fixed fee, usage and monthly credit. */
export const CONTENT = {
  prices: [fixedPrice(20), PER_IMAGE],
  entitlements: [entitlement(1000, EVERY_MONTH)],
};
export const DECLINES_LATER = { payment_method: { kind: 'card', declines_later: true } };
export const START = '2026-01-31T10:00:00Z';

/** A customer who has paid for the plan. */
export async function aSubscriber(outcome: object = {}) {
  const acme = await aStory(START);
  const productId = await acme.product('plan', CONTENT);
  const { id } = await acme.subscribeTo('plan');
  await acme.settle(id, 'succeeded', outcome);
  return { acme, id: id as string, productId };
}
