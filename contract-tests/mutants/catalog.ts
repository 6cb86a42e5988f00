import { key, Refusal } from 'billing-emulator/internals';
import {
  after,
  asking,
  declared,
  each,
  ignoring,
  type Loose,
  type Mutant,
  onRefusal,
  showing,
} from './mutant.ts';

/** A price for nothing that is used. */
const A_PRICE = {
  name: 'Placeholder',
  type: 'usage_based',
  billing_model: { type: 'real_time' },
  usage_calculation: { event_type: 'placeholder', usage_type: 'unit' },
  pricing: [{ asset: 'USD', values: [{ unit_price: 1 }] }],
};

export const catalogMutants: readonly Mutant[] = [
  declared('publish is ignored', ['PRD-01'], {
    createProduct: showing(() => ({ status: 'draft', is_default: false })),
  }),
  declared('default is the newest version', ['PRD-67', 'SUB-06'], {
    getProductVersion: (call, { tables }, run) => {
      const newest = tables.versions.list('product', call.path.productId).at(-1);
      const version = String(newest?.version);
      return call.path.version === 'default' && newest
        ? run({ ...call, path: { ...call.path, version } })
        : run();
    },
    createSubscription: asking((call, { tables }) => {
      for (const product of call.body.products ?? []) {
        const newest = tables.versions.list('product', product.id ?? '').at(-1);
        if (newest && product.version === undefined) product.version = newest.version;
      }
    }),
  }),
  declared('An archived version can be subscribed to', ['PRD-04'], {
    createSubscription: (call, { tables }, run) => {
      for (const { id } of call.body.products ?? [])
        for (const row of [...tables.versions.list('product', id ?? '')])
          if (row.status === 'archived') tables.versions.put({ ...row, status: 'published' });
      return run();
    },
  }),
  declared('Archiving does nothing', ['PRD-04', 'PRD-62'], {
    archiveProductVersion: () => ({ status: 204 }),
  }),
  declared('Deleting a used product removes it', ['PRD-08'], {
    deleteProduct: after(({ path }, { tables }) => tables.products.remove(path.productId)),
  }),
  declared('Deleting an unused product keeps it', ['PRD-07'], {
    deleteProduct: () => ({ status: 204 }),
  }),
  declared('A published version can be patched', ['PRD-05'], {
    updateProductVersion: onRefusal((error) =>
      error instanceof Refusal && error.status === 409 ? { status: 204 } : undefined,
    ),
  }),
  declared('A patch of a draft changes nothing', ['PRD-04'], {
    updateProductVersion: asking(() => ({ body: {} })),
  }),
  declared('A new version changes the earlier', ['PRD-04'], {
    createProductVersion: after(({ path }, { tables }) => {
      const [first, ...rest] = tables.versions.list('product', path.productId);
      const newest = rest.at(-1);
      if (first && newest) tables.versions.put({ ...first, prices: newest.prices });
    }),
  }),
  declared('The code filter is ignored', ['PRD-02'], { listProducts: ignoring('code') }),
  declared('Versions are listed as archived', ['PRD-02'], {
    listProductVersions: each('items', () => ({ status: 'archived' })),
  }),
  declared('A product shows no versions', ['PRD-02'], {
    getProduct: showing(() => ({ versions: [] })),
  }),
  declared('A product has no subscribers', ['PRD-09'], {
    listSubscribers: showing(() => ({ items: [] })),
  }),
  declared('Names of prices are lost', ['PRD-17'], {
    getProductVersion: each('prices', () => ({ name: 'Price' })),
  }),
  declared('Every entitlement is bundled', ['PRD-17'], {
    getProductVersion: each('entitlements', () => ({ purpose: 'bundled' })),
  }),
  declared('Simulated usage is billed', ['PRD-11'], {
    simulateUsage: after(({ body }, { tables, world, owner, now }) => {
      const [event] = body.events;
      const customer_id = body.customer_id ?? '';
      tables.events.put({
        ...{ id: key(owner, event.id), seq: world.nextSeq(), owner, created_at: now },
        ...{ event_id: event.id, customer_id, event_type: event.event_type, occurred_at: now },
        ...{ data: {}, fees: [], costs: [], revenue: '0', cost: '0' },
      } as Loose);
    }),
  }),
  declared('Simulated fees differ from real ones', ['PRD-12'], {
    simulateUsage: each('fees', ({ amount }) => ({ amount: amount / 2 })),
  }),
  declared('started_at is missing', ['SUB-01'], {
    createSubscription: showing((body) => {
      delete body.started_at;
    }),
  }),
  declared('A fixed fee needs no payment', ['SUB-02'], {
    createSubscription: showing(() => ({ status: 'active', required_actions: [] })),
  }),
  declared('A product cannot be named by its code', ['SUB-01'], {
    createSubscription: each('products', (one) => ({ code: one.id })),
  }),
  declared('Inline subscriptions are lost', ['SUB-10'], {
    createCustomer: showing(() => ({ subscriptions: [] })),
  }),
  declared('A perpetual subscription renews', ['SUB-01'], {
    createSubscription: showing((body) => {
      body.renews_at ??= '2030-01-01T00:00:00.000Z';
    }),
  }),
  declared('An unknown subscription is updated', ['SUB-15'], {
    updateSubscription: () => ({ status: 204 }),
    updateSubscriptionProduct: () => ({ status: 204 }),
  }),
  declared('A recurring subscription needs no addresses', ['SUB-02'], {
    createSubscription: asking((call) => {
      call.body.return_url ??= 'https://mutant.invalid/';
      call.body.failure_url ??= 'https://mutant.invalid/';
    }),
  }),
  declared('The version published last follows an archived default', ['PRD-62'], {
    archiveProductVersion: after(({ path }, { tables }) => {
      const product = tables.products.get(path.productId);
      const [last] = tables.versions
        .list('product', path.productId)
        .filter(({ status }) => status === 'published')
        .toSorted((one, other) => (String(other.published_at) < String(one.published_at) ? -1 : 1));
      if (product && last) tables.products.put({ ...product, default_version: last.version });
    }),
  }),
  declared('A draft that is published later becomes the default', ['PRD-57'], {
    updateProductVersion: asking(({ body }) => {
      if (body.publish) body.make_default = true;
    }),
  }),
  declared('A reactivated subscription moves to the default version', ['SUB-67'], {
    updateSubscription: (call, { tables }, run) => {
      const row = tables.subscriptions.get(call.path.subscriptionId);
      if (row?.status === 'inactive' && call.body.status === 'active') {
        const versionOf = (id: string) => tables.products.get(id)?.default_version;
        const products = row.products.map((each) => ({
          ...each,
          version: versionOf(each.id) ?? each.version,
        }));
        tables.subscriptions.put({ ...row, products });
      }
      return run();
    },
  }),
  declared('The number of spans of an entitlement is not shown', ['PRD-46'], {
    getProductVersion: each(
      'entitlements',
      ({ lifecycle: { duration_count, ...lifecycle } = {} }) =>
        duration_count ? { lifecycle } : {},
    ),
  }),
  declared('The field of source references is not shown', ['PRD-46'], {
    getProductVersion: each('prices', ({ usage_calculation: of }) => {
      if (!of) return {};
      const { source_reference_field: _field, ...usage_calculation } = of;
      return { usage_calculation };
    }),
  }),
  {
    ...declared('A product without content is accepted', ['PRD-69']),
    requestBody: (body, { method, path }) =>
      method === 'POST' && path === '/products' && !body.prices?.length
        ? { ...body, prices: [A_PRICE] }
        : body,
  },
];
