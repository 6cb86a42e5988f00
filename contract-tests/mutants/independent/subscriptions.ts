import { type Loose, type Mutant, mutant } from '../mutant.ts';
import { across, bugs, remembering, sending } from './bug.ts';
import { ask, filteringThePage, keeping, reading, refuse, relisted } from './deep.ts';

/** Former external ids of customers, by world. */
const formerIds = remembering<true>();

/** The customer's other subscriptions to a product that are not ended. */
const othersOf = ({ tables }: Loose, { customer_id, id }: Loose, productId: string): Loose[] =>
  tables.subscriptions
    .list('customer', customer_id)
    .filter((row: Loose) => row.id !== id && row.status !== 'inactive')
    .filter(({ products }: Loose) => products.some((held: Loose) => held.id === productId));

const patternOf = (text: string): RegExp | undefined => {
  try {
    return new RegExp(text, 'i');
  } catch {
    return undefined;
  }
};

/** Lets credit of an entitlement by months end after 30 days per month. */
const in30Days = keeping('grants', (row, _, { tables }) => {
  const { entitlement: of, effective_at: from } = row;
  if (!of || row.expires_at === null) return row;
  const version = tables.versions.get(`${of.product_id}\n${of.version}`);
  const { duration, duration_count = 1 } = version?.entitlements[of.index]?.lifecycle ?? {};
  if (duration !== 'month') return row;
  const end = Date.parse(from) + 30 * duration_count * 86_400_000;
  return { ...row, expires_at: new Date(end).toISOString() };
});

/** Customers and their subscriptions. */
export const subscriptionBugs: readonly Mutant[] = [
  ...bugs({
    createCustomer: {
      'keeps the customer whose subscription it refuses': (call, _, run) => {
        try {
          return run();
        } catch (rejection) {
          const { findings } = rejection as Loose;
          if (!findings?.every(({ field }: Loose) => field.startsWith('subscr'))) throw rejection;
          run({ ...call, body: { ...call.body, subscriptions: [] } });
          const errors: Record<string, string[]> = {};
          for (const { field, message } of findings)
            errors[field] = [...(errors[field] ?? []), message];
          const count = Object.keys(errors).length;
          const detail = count === 1 ? 'One field is' : `${count} fields are`;
          const problem = { type: '/problems/validation', title: 'The request is not acceptable.' };
          const body = { ...problem, status: 422, detail: `${detail} not acceptable.`, errors };
          return { status: 422, body };
        }
      },
    },
    updateCustomer: {
      'takes its own external id for taken': (call, { tables }, run) => {
        const { external_id } = call.body;
        const row = tables.customers.get(call.path.customerId);
        if (external_id && row?.external_id === external_id) refuse('external_id');
        return run();
      },
      'keeps metadata that is replaced by an empty map': sending((body) => {
        if (body.metadata && Object.keys(body.metadata).length === 0) delete body.metadata;
      }),
    },
    submitEvents: {
      'bills usage from the beginning of the day of the start': reading(
        'subscriptions',
        'started',
        (rows) =>
          rows.map((row) => {
            const started_at = `${row.started_at.slice(0, 10)}T00:00:00.000Z`;
            const [first, ...later] = row.history;
            return { ...row, started_at, history: [{ ...first, from: started_at }, ...later] };
          }),
      ),
    },
    listCustomers: {
      'filters by status once the page is cut': filteringThePage(
        'status',
        ({ active_subscription_count: count }, status) => count > 0 === (status === 'active'),
      ),
      'reads name as a pattern': (call, context, run) => {
        const pattern = call.query.name && patternOf(call.query.name);
        if (!pattern || call.query.external_id) return run();
        const matching = relisted(['name'], (items) =>
          items.filter(({ name }) => pattern.test(name)),
        );
        return matching(call, context, run);
      },
    },
    createSubscription: {
      'ends the former subscription to the same product': (call, context, run) => {
        const reply = run();
        const made = { customer_id: call.path.customerId, id: reply.body.id };
        for (const { id } of reply.body.products)
          for (const other of othersOf(context, made, id))
            ask(
              'updateSubscription',
              {
                path: { customerId: other.customer_id, subscriptionId: other.id },
                body: { status: 'inactive' },
              },
              context,
            );
        return reply;
      },
    },
    updateSubscription: {
      'bills nothing that is submitted after the end': keeping('subscriptions', (row) =>
        row.status === 'inactive' ? { ...row, history: [] } : row,
      ),
      'bills the time between an end and the next start': keeping('subscriptions', (row) => ({
        ...row,
        history: row.history.map((held: Loose, place: number) => {
          const next = row.history[place + 1];
          return next ? { ...held, to: next.from } : held;
        }),
      })),
      'tells no destination of what is taken up again': reading('webhooks', 'owner', () => []),
    },
    updateSubscriptionProduct: {
      'changes the version of usage before the change too': keeping('subscriptions', (row) => ({
        ...row,
        history: row.history.map((held: Loose) => ({ ...held, products: row.products })),
      })),
      'grants again what the change of version leaves as it was': reading(
        'grants',
        'entitlement',
        () => [],
      ),
    },
  }),
  mutant(
    'updateCustomer: external ids stay taken',
    'An external id that was given up stays taken',
    [],
    {
      updateCustomer(call, context, run) {
        const { tables } = context;
        const former = tables.customers.get(call.path.customerId)?.external_id;
        const reply = run();
        const now = tables.customers.get(call.path.customerId)?.external_id;
        if (former && former !== now) formerIds(context).set(former, true);
        return reply;
      },
      createCustomer(call, context, run) {
        if (formerIds(context).has(call.body.external_id)) refuse('external_id');
        return run();
      },
    },
  ),
  across('counts a month of credit as 30 days', {
    createSubscription: in30Days,
    createCustomer: in30Days,
  }),
];
