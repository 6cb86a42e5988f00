import {
  aFreshCustomer,
  aFreshProduct,
  api,
  call,
  check,
  describe,
  expect,
  runMark,
  unique,
  unknownId,
  useUp,
} from '../kit/index.ts';
import { pageOf } from './shared/lists.ts';
import { to } from './shared/subscriptions.ts';

/** The id of the customer with an external_id. */
async function owner(external_id: string): Promise<string | undefined> {
  const { headers } = await call('listCustomers', { query: { external_id } }, [303]);
  return String(headers['location']).split('/').at(-1);
}

describe('createCustomer with an invalid subscription', () => {
  check(
    'CUS-53',
    { requirement: 'R-CUS-42', level: 'IMPLIED', effect: 'E3' },
    'customer created with one valid and one invalid subscription → 422, neither customer nor subscription is created, and the external_id is free',
    async () => {
      const product = await aFreshProduct();
      const archived = await aFreshProduct();
      await api('archiveProductVersion', { path: { productId: archived.id, version: '1' } }, 204);
      const external_id = unique('customer');
      const email = `${external_id}@example.com`;
      const body = { name: 'Contract refused', external_id, email };
      for (const bad of [to({ ...product, id: unknownId('prp') }), to(archived)]) {
        const subscriptions = [to(product), bad];
        await call('createCustomer', { body: { ...body, subscriptions } }, [422]);
        await call('listCustomers', { query: { external_id } }, [404]);
        for (const confined of [
          { list: 'listCustomers', query: { email } },
          { list: 'listSubscribers', path: { productId: product.id } },
        ] as const)
          expect(await pageOf(confined)).toMatchObject({ items: [], total_count: 0 });
      }
      const customer = await aFreshCustomer({ ...body, subscriptions: [to(product)] });

      expect(await owner(external_id)).toBe(customer.id);
    },
  );
});

describe('values that updateCustomer replaces', () => {
  check(
    'CUS-54',
    {
      requirement: ['R-CUS-02', 'R-CUS-37'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-307', 'A-601'],
    },
    'external_id changed, and one cleared → each can be given to a new customer, and finds that one',
    async () => {
      for (const change of [unique('customer'), null]) {
        const former = await aFreshCustomer();
        const { external_id } = former;
        const path = { customerId: former.id };
        await call('updateCustomer', { path, body: { external_id: change } }, [204]);
        const body = { name: 'Contract next', external_id, metadata: runMark() };
        const next = await useUp('customer', () => api('createCustomer', { body }, 201));

        expect(await owner(external_id)).toBe(next.id);
        expect((await api('getCustomer', { path }, 200)).external_id ?? null).toBe(change);
      }
    },
  );

  check(
    'CUS-55',
    { requirement: 'R-CUS-37', level: 'ASSUMED', effect: 'E3', assumes: 'A-601' },
    'metadata replaced by another map, then by an empty one, and external accounts by none → nothing of the former values is left',
    async () => {
      const account = { provider: 'stripe', provider_id: unique('account') };
      const { id } = await aFreshCustomer({
        metadata: { plan: 'old', region: 'eu' },
        external_accounts: [account],
      });
      const path = { customerId: id };
      const shownAfter = async (body: object) => {
        await call('updateCustomer', { path, body }, [204]);
        const { metadata, external_accounts } = await api('getCustomer', { path }, 200);
        return [metadata ?? {}, external_accounts];
      };

      expect(await shownAfter({ metadata: { region: 'us' } })).toEqual([
        { region: 'us' },
        [account],
      ]);
      expect(await shownAfter({ metadata: {} })).toEqual([{}, [account]]);
      expect(await shownAfter({ external_accounts: [] })).toEqual([{}, []]);
    },
  );
});
