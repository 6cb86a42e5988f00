import { after, asking, declared, type Loose, type Mutant } from './mutant.ts';

/** Mutants of billing and entitlements after a change of a subscription. */
export const lateUsageMutants: readonly Mutant[] = [
  declared('Late usage is billed by the version of now', ['SUB-30'], {
    updateSubscriptionProduct: after((call, { tables }) => {
      const row = tables.subscriptions.get(call.path.subscriptionId) as Loose;
      const history = row.history.map((held: Loose) => ({ ...held, products: row.products }));
      tables.subscriptions.put({ ...row, history });
    }),
  }),
  declared('Usage submitted after the end is free', ['SUB-30'], {
    updateSubscription: after((call, { tables }) => {
      const row = tables.subscriptions.get(call.path.subscriptionId) as Loose;
      if (row.status === 'inactive') tables.subscriptions.put({ ...row, history: [] });
    }),
  }),
  declared('A subscription bills on after its end', ['SUB-30'], {
    updateSubscription: after((call, { tables }) => {
      const row = tables.subscriptions.get(call.path.subscriptionId) as Loose;
      const history = row.history.map(({ to: _, ...held }: Loose) => held);
      tables.subscriptions.put({ ...row, history });
    }),
  }),
  declared('Another version gives every entitlement', ['SUB-32'], {
    updateSubscriptionProduct: (_call, { tables }, run) => {
      for (const { entitlement, ...grant } of [...tables.grants.values()])
        if (entitlement) tables.grants.put(grant);
      return run();
    },
  }),
  declared('A new entitlement is not given at once', ['SUB-32'], {
    updateSubscriptionProduct: asking((call, { tables }) => {
      const versions = tables.versions.list('product', call.path.productId);
      for (const version of versions.slice(1)) {
        const known = versions[0]?.entitlements.map(({ name }) => name) ?? [];
        const entitlements = version.entitlements.filter(({ name }) => known.includes(name));
        tables.versions.put({ ...version, entitlements });
      }
    }),
  }),
];
