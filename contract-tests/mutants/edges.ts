import { asking, declared, each, firstOf, type Loose, type Mutant, showing } from './mutant.ts';

const isoYear = (day: string): number => {
  const date = new Date(`${day}T00:00:00Z`);
  // The Thursday of a week is in its year.
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  return date.getUTCFullYear();
};

/** Mutants that are wrong only on some days, for some digits, or after something was read before. */
export const edgeMutants: readonly Mutant[] = [
  declared('Stats name customers as they were first read', ['CUS-64'], {
    listCustomerStats: each('items', ({ id, external_id, name }, _call, context) =>
      firstOf(context, `who ${id}`, { external_id, name }),
    ),
  }),
  declared("A customer's costs are those of the last fee", ['CUS-65'], {
    getCustomerStats: showing(({ gross_revenue, total_costs }, { path }, context) => ({
      total_costs: firstOf(context, `${path.customerId} ${gross_revenue}`, total_costs),
    })),
  }),
  declared('Vendor stats of a past period are kept', ['VND-14'], {
    getVendorStats: showing((body, { path, query }, context) =>
      firstOf(context, JSON.stringify([path, query]), body),
    ),
  }),
  declared('29 February is not in vendor stats', ['VND-13'], {
    getVendorStats: asking(({ query }) => {
      if (query.period_to?.endsWith('-02-29') && query.period_from !== query.period_to)
        query.period_to = query.period_to.replace('29', '28');
    }),
  }),
  declared('Events of another ISO year are left out', ['EVT-87'], {
    listEvents: showing(({ items }, { query }) => ({
      items: items.filter(
        ({ occurred_at }: Loose) =>
          query.period_to === undefined ||
          isoYear(occurred_at.slice(0, 10)) === Number(occurred_at.slice(0, 4)),
      ),
    })),
  }),
  declared('Tasks of the last second are left out', ['TSK-16', 'TSK-17'], {
    listTasks: showing(({ items }, { query }) => ({
      items: items.filter(
        ({ last_updated_at: at }: Loose) =>
          !(query.last_updated_to === at.slice(0, 10) && at.includes('T23:59:59.')),
      ),
    })),
  }),
  declared('Rates have eight digits', ['AST-48'], {
    setAssetRate: asking(({ body }) => {
      body.rate = Number(body.rate.toPrecision(8));
    }),
  }),
  declared('The first published version is subscribed to', ['PRD-62'], {
    createSubscription: asking(({ body }, { tables }) => {
      for (const product of body.products ?? []) {
        const published = tables.versions
          .list('product', product.id ?? '')
          .find(({ status }) => status === 'published');
        if (published && product.version === undefined) product.version = published.version;
      }
    }),
  }),
];
