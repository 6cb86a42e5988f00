import {
  ADDRESSES,
  aFixedPrice,
  aFreshProduct,
  api,
  assuming,
  check,
  describe,
  expect,
  now,
  useUp,
} from '../kit/index.ts';
import { omit } from './shared/fields.ts';
import { addVersion } from './shared/products.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

describe('subscriptions created with their customer', () => {
  check(
    'SUB-45',
    { requirement: ['R-CUS-05', 'R-SUB-25'], level: 'IMPLIED', effect: 'E3' },
    'subscriptions with a start, a renewal, URLs, a version and a code, created with the customer or added later → the same',
    async () => {
      const [usage, fixed] = [
        await aFreshProduct(),
        await aFreshProduct({ prices: [aFixedPrice(20)] }),
      ];
      await addVersion(usage, { publish: true });
      const bodies = [
        { products: [{ code: usage.code }], starts_at: now(DAY_MS) },
        { products: [{ id: usage.id, version: 2 }], starts_at: now(-DAY_MS) },
        { ...to(fixed), ...ADDRESSES, redirect_to: 'portal', renews_at: now(3 * DAY_MS) },
      ];
      const body = { name: 'Contract alike', subscriptions: bodies } as never;
      const inline = await useUp('customer', () => api('createCustomer', { body }, 201));
      const other = await useUp('customer', () =>
        api('createCustomer', { body: { name: 'Contract alike' } }, 201),
      );
      const added: Awaited<ReturnType<typeof subscribe>>[] = [];
      for (const each of bodies) added.push(await subscribe(other as never, each));

      expect(inline.subscriptions.map(comparable)).toEqual(added.map(comparable));
      expect(added.slice(1).map(({ status }) => status)).toEqual(['active', 'action_required']);
      await assuming('A-603', async () => expect(added[0]?.status).toBe('scheduled'));
    },
  );
});

/** A subscription without its id, and with only the host of its payment link, so that two can be compared. */
function comparable(subscription: Awaited<ReturnType<typeof subscribe>>): object {
  const { required_actions = [], ...rest } = subscription;
  const actions = required_actions.map(({ type, redirect_url }) => [
    type,
    new URL(redirect_url).host,
  ]);
  return { ...omit(rest, 'id'), actions };
}
