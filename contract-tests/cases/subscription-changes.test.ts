import {
  aFixedPrice,
  aFreshProduct,
  aUnitPrice,
  aWebhook,
  call,
  check,
  completePaymentPage,
  eventually,
  expect,
  now,
  refused,
  unique,
} from '../kit/index.ts';
import { expectChanged } from './shared/fields.ts';
import { accountsOf, activeCount, aMember, aMomentAgo } from './shared/member.ts';
import { addVersion, ENTITLEMENT } from './shared/products.ts';
import { ONE_TIME, shown, subscribe, to, update } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { activationsOf, isMatched } from './shared/webhooks.ts';

check(
  'SUB-19',
  { requirement: 'R-CUS-11 R-SUB-27 R-SUB-40 R-SUB-41', effect: 'E3', assumes: 'A-606 A-608' },
  'subscription with credit, beside another one, ended and reactivated → shown, counted and billed only while active, by the time of usage; logged once for each activation; its credit stays, and is not given twice; a change of URL or renewal does not reactivate it',
  async (t) => {
    const webhook = await aWebhook(t);
    const product = await aFreshProduct({ entitlements: [ENTITLEMENT] });
    const { customer, made, look, set, cost } = await aMember(product);
    await subscribe(customer, to(await aFreshProduct()));
    const seen = async () => [
      (await look()).status,
      await activeCount(customer),
      await accountsOf(customer),
    ];
    expect(await seen()).toEqual(['active', 2, ['default:USD 5']]);
    const before = await aMomentAgo();
    await set({ status: 'inactive' });
    expect(await seen()).toEqual(['inactive', 1, ['default:USD 5']]);
    await aMomentAgo();
    expect(await cost(), 'usage after the end').toEqual([]);
    const between = await aMomentAgo();
    const renews_at = now(20 * DAY_MS);
    await set({ return_url: 'https://contract.invalid/again' });
    await set({ renews_at });
    expect((await look()).status, 'after other updates').toBe('inactive');

    await set({ status: 'active' });
    expect(await seen()).toEqual(['active', 2, ['default:USD 5']]);
    expect((await look()).renews_at).toBe(renews_at);
    await aMomentAgo();
    expect(await cost(), 'usage after the reactivation').toEqual([0.25]);
    expect(await cost({ occurred_at: between }), 'usage from between').toEqual([]);
    expect(await cost({ occurred_at: before }), 'usage from before').toEqual([0.25]);
    const items = await eventually(
      () => activationsOf(made.id),
      (found) => found.length > 1,
    );
    expect(items.map((item) => [item.topic, isMatched(item, webhook)])).toEqual([
      ['subscription.activated', true],
      ['subscription.activated', true],
    ]);
  },
);

check(
  'SUB-56',
  { requirement: 'R-SUB-40 R-SUB-41', effect: 'E3', assumes: 'A-606 A-1507' },
  'a subscription that awaits payment cannot be set active; ended → asks for no payment, reactivated unpaid → asks again; ended and changed to a version with a one-time price → asks for none',
  async () => {
    const unpaid = await aMember(await aFreshProduct({ prices: [aFixedPrice(10)] }));
    const path = { customerId: unpaid.customer.id, subscriptionId: unpaid.made.id };

    expect(await unpaid.asked()).toEqual(['action_required', 1]);
    await refused('updateSubscription', { path, body: { status: 'active' } });
    await unpaid.set({ status: 'inactive' });
    expect(await unpaid.asked()).toEqual(['inactive', 0]);
    await unpaid.set({ status: 'active' });
    expect(await unpaid.asked()).toEqual(['action_required', 1]);

    const free = await aMember(await aFreshProduct());
    await free.set({ status: 'inactive' });
    await free.change(2, { prices: [ONE_TIME] });
    expect(await free.asked()).toEqual(['inactive', 0]);
  },
);

check(
  'SUB-52',
  { requirement: 'R-EVT-59', effect: 'E3', assumes: 'A-510' },
  'two subscriptions to a product, each with its own version → an event is billed once, by the one started later; after that one ends, by the other',
  async () => {
    const product = await aFreshProduct();
    await addVersion(product, { prices: [aUnitPrice(product.eventType, 1.5)], publish: true });
    const { customer, look, cost } = await aMember(product);
    await aMomentAgo();
    const later = await subscribe(customer, to(product, { version: 2 }));

    expect([(await look()).status, later.status]).toEqual(['active', 'active']);
    expect(await cost()).toEqual([1.5]);
    await aMomentAgo();
    await update(customer, later.id, { status: 'inactive' });
    expect(await cost()).toEqual([0.25]);
  },
);

check(
  'SUB-42',
  {
    requirement: 'R-SUB-36 R-SUB-52 R-WAL-51',
    effect: 'E4',
    assumes: 'A-603 A-702',
    needs: 'payment.completable',
  },
  'subscription with a fee, usage and an entitlement, paid before its start → active, counted, started and renewing by starts_at; until then its account is open, without credit, and no usage fee',
  async () => {
    const eventType = `contract.${unique('ahead')}`;
    const product = await aFreshProduct({
      prices: [aFixedPrice(), aUnitPrice(eventType)],
      entitlements: [ENTITLEMENT],
    });
    // The 15th, so that all months have the day.
    const start = new Date(Date.parse(now(2 * DAY_MS)));
    start.setUTCDate(15);
    if (start.toISOString() < now()) start.setUTCMonth(start.getUTCMonth() + 1);
    const starts_at = start.toISOString();
    start.setUTCMonth(start.getUTCMonth() + 1);
    const { customer, made, look, cost } = await aMember({ ...product, eventType }, { starts_at });
    const link = made.required_actions?.[0]?.redirect_url as string;
    await completePaymentPage(link, 'paid');

    expect(made.status).toBe('action_required');
    const renews_at = start.toISOString();
    expect(await look()).toMatchObject({ status: 'active', started_at: starts_at, renews_at });
    expect(await activeCount(customer)).toBe(1);
    expect(await cost()).toEqual([]);
    expect(await accountsOf(customer)).toEqual(['default:USD 0']);
  },
);

check(
  'SUB-34',
  { requirement: 'R-SUB-04 R-SUB-41', effect: 'E3', assumes: 'A-307 A-606' },
  'renews_at of a subscription, its URLs, null for each, and nothing updated → only that field changes; id, products, status, start and another subscription stay; renews_at of null at creation → a perpetual one; in the past → rejected',
  async () => {
    const product = await aFreshProduct();
    const renews_at = now(DAY_MS);
    const { customer, made, look, set } = await aMember(product, { renews_at });
    const other = await subscribe(customer, { ...to(await aFreshProduct()), renews_at: null });
    const read = async () => ({ renews_at: null, ...(await look()) });
    expect((await look()).renews_at).toBe(renews_at);
    expect(other.renews_at ?? null).toBeNull();
    await expectChanged({
      ...{ made, read },
      update: (_, body) => set(body),
      changes: [
        { renews_at: now(2 * DAY_MS) },
        { return_url: 'https://contract.invalid/other' },
        { renews_at: null },
      ],
    });
    const before = await read();
    const path = { customerId: customer.id, subscriptionId: made.id };
    await call('updateSubscription', { path, body: { renews_at: now(-1_000) } }, [422]);
    expect(await read()).toEqual(before);
    for (const return_url of ['https://contract.invalid/again', null])
      await update(customer, other.id, { return_url });
    expect(await shown(customer, other.id)).toEqual(other);
  },
);
