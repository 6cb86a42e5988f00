import { EVERY_MONTH, entitlement, fixedPrice, PER_IMAGE } from './catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from './client.ts';
import { callsFor } from './customer.ts';
import { freshKey } from './usage.ts';

/** For tests: months of one customer's billing over HTTP, on a frozen clock. */
export type Story = Awaited<ReturnType<typeof aStory>>;

const shared = createTestClient();

/** Opens a world at an instant, with a customer and an asset of whole units. */
export async function aStory(now: string, client: TestClient = shared) {
  const story = { client, key: freshKey(), customerId: '' };
  const calls = callsFor(story);
  const { api, control } = calls;
  /** Sets the clock to an instant without running due jobs. */
  const set = (moment: string) => control('setClock', { body: { mode: 'frozen', now: moment } });
  await set(now);
  await api('createAsset', { body: { code: 'CREDIT', name: 'Credits' } }, 201);
  story.customerId = (await api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
  return { ...story, ...calls, set };
}

/** Uses the plan of `CONTENT` once. */
export const useImage = (acme: Story) => acme.use('image.generated');

/** Formats due jobs that ran as lines of instant, kind and outcome. */
export function linesOf({ items }: AnyBody): string[] {
  return items.map(({ at, kind, outcome }: AnyBody) =>
    [at.replace(/:00\.000Z$/, 'Z'), kind, outcome].filter(Boolean).join(' '),
  );
}

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
