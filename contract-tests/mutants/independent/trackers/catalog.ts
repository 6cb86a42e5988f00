import { key, RuleViolation } from 'billing-emulator/internals';
import { type Advice, asking, type Loose, type Mutant, showing } from '../../mutant.ts';
import { onlyThose, remembering } from '../bug.ts';
import { announceLater, ask, overlay, relisted } from '../deep.ts';
import { against } from '../production/window.ts';

const deleted = remembering<Loose[]>();
const placeOf = ({ owner, world }: Loose): string => `${owner} ${world.replacements}`;

/** The activation that a new customer's first subscription alone would announce. */
function announcedBy({ body }: Loose, context: Loose): Loose {
  let data: Loose;
  const noting = overlay(context, 'webhook_events', (table) => ({
    put(row: Loose) {
      data = row.data;
      return table.put(row);
    },
  }));
  const [first] = body.subscriptions;
  const alone = { ...body, subscriptions: [first] };
  context.world.dryRun(() => {
    try {
      ask('createCustomer', { body: alone }, noting);
    } catch {
      data = undefined;
    }
  });
  return data;
}

/** Announces the first subscription of a customer that is then refused. */
const announcingEarly: Advice = (call, context, run) => {
  try {
    return run();
  } catch (error) {
    const isLater = error instanceof RuleViolation && call.body.subscriptions?.length > 1;
    const value = isLater && announcedBy(call, context);
    if (value) announceLater(context, value);
    throw error;
  }
};

/** Customers and products. */
export const reportedCatalogBugs: readonly Mutant[] = [
  against(
    'Rules for GET /customers: external_id is given and a customer matches',
    'cuts an external id in the query at a character that separates parts of a URL',
    {
      listCustomers: asking(({ query }) => {
        if (query.external_id !== undefined) [query.external_id] = query.external_id.split(/[#?]/);
      }),
    },
  ),
  against(
    'Events: subscription.activated, fired when the subscription becomes active',
    'announces the first subscription of a customer that is refused for the second',
    { createCustomer: announcingEarly },
  ),
  against(
    'A-602: email matches the whole address, case-insensitively',
    'finds an email only in the letter case in which it is stored',
    {
      listCustomers: (call, context, run) =>
        call.query.email === undefined
          ? run()
          : onlyThose(({ email }) => email === call.query.email)(call, context, run),
    },
  ),
  against(
    'A-503: deleting an unused product removes it',
    'still lists the versions of a product that has been deleted',
    {
      deleteProduct({ path }, context, run) {
        const { tables, owner } = context;
        const { productId } = path;
        const product: Loose =
          tables.products.get(productId) ?? tables.products.first('code', key(owner, productId));
        const { items } = ask('listProductVersions', { query: { limit: 1000 } }, context).body;
        const reply = run();
        if (!product || product.used) return reply;
        const former = deleted(context).get(placeOf(context)) ?? [];
        const gone = items.filter(({ id }: Loose) => id === product.id);
        deleted(context).set(placeOf(context), [...former, ...gone]);
        return reply;
      },
      listProductVersions: relisted([], (items, { status }, context) => {
        const gone = deleted(context).get(placeOf(context)) ?? [];
        return [...items, ...gone.filter((each) => !status || each.status === status)];
      }),
    },
  ),
  against(
    'Conventions, paged list response: total_count; A-504: subscribers are listed once per customer',
    'counts in the subscribers of a product each subscription of a customer',
    {
      listSubscribers: showing((_, { path }, { tables, owner }) => {
        const fitting = [...tables.subscriptions.values()].filter(
          (row) =>
            row.owner === owner &&
            row.started_at !== undefined &&
            row.status !== 'inactive' &&
            row.products.some(({ id }) => id === path.productId),
        );
        return { total_count: fitting.length };
      }),
    },
  ),
];
