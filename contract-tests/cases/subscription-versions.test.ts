import {
  ADDRESSES,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  api,
  aUnitPrice,
  call,
  check,
  expect,
  now,
  type OwnProduct,
} from '../kit/index.ts';
import { accountsOf } from './shared/customers.ts';
import { addVersion } from './shared/products.ts';
import {
  detailOf,
  moveTo,
  type Subscription,
  shown,
  subscribe,
  update,
  withSubscriptions,
} from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

check(
  'SUB-70',
  { requirement: 'R-SUB-44', effect: 'E4', assumes: 'A-609' },
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
    const inline = await withSubscriptions(bodies);
    const versions = (list: readonly Subscription[]) =>
      list.map(({ products }) => products.map(({ version }) => version));
    const expectShown = async (when: string) => {
      for (const each of [customer, inline]) {
        const { subscriptions = [] } = await detailOf(each);
        expect([...versions(subscriptions)].sort(), when).toEqual([...wanted].sort());
      }
    };
    expect(versions(added)).toEqual(wanted);
    expect(versions(inline.subscriptions)).toEqual(wanted);
    await expectShown('at first');
    const place = ({ id }: OwnProduct, version: number) => ({
      path: { productId: id, version: String(version) },
    });
    for (const each of [product, fixed])
      await api('updateProductVersion', { ...place(each, 3), body: { make_default: true } }, 204);
    await expectShown('when the default has moved');
    for (const each of [product, fixed]) await api('archiveProductVersion', place(each, 2), 204);
    await expectShown('when the version is archived');

    const [first, second] = added.map((each) => each.id) as [string, string];
    await moveTo(customer, first, product, 'default');
    await update(customer, second, { status: 'inactive' });
    await addVersion(product, {
      prices: [aUnitPrice(product.eventType)],
      publish: true,
      make_default: true,
    });
    expect((await shown(customer, first)).products).toEqual([{ id, code, version: 3 }]);
    expect((await shown(customer, second)).products).toEqual([{ id, code, version: 2 }]);
  },
);

check(
  'SUB-44',
  { requirement: 'R-SUB-30 R-SUB-42 R-SUB-44 R-SUB-53', effect: 'E3', assumes: 'A-607' },
  'version of the second product changed by its code → changed, the account of its asset open; to a draft, an archived and an unknown version → rejected, the version unchanged',
  async () => {
    const [product, other] = [await aFreshProduct(), await aFreshProduct()];
    const { id, code } = product;
    const pricing = [{ asset: 'EUR', values: [{ unit_price: 1 }] }];
    const prices = [{ ...aUnitPrice('contract.call'), pricing }];
    for (const publish of [true, true, false]) await addVersion(product, { prices, publish });
    await api('archiveProductVersion', { path: { productId: id, version: '3' } }, 204);
    const customer = await aFreshCustomer();
    const made = await subscribe(customer, { products: [{ id: other.id }, { id }] });
    expect(await accountsOf(customer)).toEqual(['default:USD 0']);
    await moveTo(customer, made.id, { id: code }, 2);
    const path = { customerId: customer.id, subscriptionId: made.id, productId: id };
    for (const version of [3, 4, 5, 0, '2', 'Default', 1.5, null])
      await call('updateSubscriptionProduct', { path, body: { version } }, [422]);

    const { products } = await shown(customer, made.id);
    expect(products).toEqual(
      [other, product].map((one, at) => ({ id: one.id, code: one.code, version: at + 1 })),
    );
    expect(await accountsOf(customer)).toEqual(['default:USD 0', 'default:EUR 0']);
  },
);
