import {
  ADDRESSES,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  api,
  call,
  check,
  describe,
  expect,
  now,
  type OwnObject,
  type OwnProduct,
  useUp,
} from '../kit/index.ts';
import { addVersion } from './shared/products.ts';
import { detailOf, moveTo, type Subscription, subscribe, update } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

type Product = Pick<OwnProduct, 'id'>;

const patched = ({ id }: Product, version: number | string, body: object, status: number) =>
  call('updateProductVersion', { path: { productId: id, version: String(version) }, body }, [
    status,
  ]);

const archive = ({ id }: Product, version: number) =>
  api('archiveProductVersion', { path: { productId: id, version: String(version) } }, 204);

describe('the version that a subscription shows', () => {
  const versionsOf = async (customer: Pick<OwnObject, 'id'>) =>
    (await detailOf(customer)).subscriptions?.map(({ products }) =>
      products.map(({ version }) => version),
    );

  check(
    'SUB-70',
    { requirement: 'R-SUB-44', level: 'ASSUMED', effect: 'E4', assumes: 'A-609' },
    'subscriptions by id and code with the version left out, null, default and a number, to two products, active, awaiting payment and scheduled, added and created with the customer → the number, then and after the default has moved, its version was archived, and the subscription has ended; a change to default → the number at that time',
    async () => {
      const product = await aFreshProduct();
      const fixed = await aFreshProduct({ prices: [aFixedPrice()] });
      const { id, code } = product;
      for (const each of [product, fixed]) {
        await addVersion(each, { publish: true, make_default: true });
        await addVersion(each, { publish: true });
      }
      const ahead = { starts_at: now(DAY_MS) };
      const bodies = [
        { products: [{ id }] },
        { products: [{ code, version: null }] },
        { products: [{ id, code, version: 'default' }] },
        { products: [{ code, version: 3 }] },
        { products: [{ code, version: 'default' }], ...ahead },
        { products: [{ id: fixed.id }], ...ADDRESSES },
        { products: [{ id: fixed.id, version: 'default' }, { code }], ...ADDRESSES, ...ahead },
      ];
      const wanted = [[2], [2], [2], [3], [2], [2], [2, 2]];
      const customer = await aFreshCustomer();
      const added: Subscription[] = [];
      for (const body of bodies) added.push(await subscribe(customer, body));
      const whole = { name: 'Contract alike', subscriptions: bodies } as never;
      const inline = await useUp('customer', () => api('createCustomer', { body: whole }, 201));
      const versions = (list: readonly Subscription[]) =>
        list.map(({ products }) => products.map(({ version }) => version));
      expect(versions(added)).toEqual(wanted);
      expect(versions(inline.subscriptions)).toEqual(wanted);
      const expectShown = async () => {
        for (const each of [customer, inline])
          expect([...((await versionsOf(each)) ?? [])].sort()).toEqual([...wanted].sort());
      };
      await expectShown();
      for (const each of [product, fixed]) await patched(each, 3, { make_default: true }, 204);
      await expectShown();
      for (const each of [product, fixed]) await archive(each, 2);
      await expectShown();

      const [first, second] = added.map((each) => each.id) as [string, string];
      await moveTo(customer, first, product, 'default');
      await update(customer, second, { status: 'inactive' });
      await addVersion(product, { publish: true, make_default: true });
      const { subscriptions = [] } = await detailOf(customer);
      const shown = (id: string) => subscriptions.find((each) => each.id === id)?.products;
      expect(shown(first)).toEqual([{ id, code, version: 3 }]);
      expect(shown(second)).toEqual([{ id, code, version: 2 }]);
    },
  );
});
