import { Refusal } from 'billing-emulator/internals';
import { type Advice, asking, each, type Loose, type Mutant, mutant, showing } from '../mutant.ts';
import { bugs, remembering, sending } from './bug.ts';

/** Bugs in keys, accounts, customers and vendors: one for each randomly drawn sentence of the specification. */

type Change = NonNullable<Mutant['rawResponse']>;

const answering = (id: string, about: string, rawResponse: Change): Mutant => ({
  ...mutant(id, about, []),
  rawResponse,
});

/** A response with a problem body where none is specified. */
const withProblem: Change = ({ status, headers }) => ({
  status,
  headers: { ...headers, 'Content-Type': 'application/json' },
  text: JSON.stringify({ type: 'about:blank', title: 'Refused', status }),
});

const ROOTS =
  /^\/(_emulator|hosted|accounts|assets|billing-portal|customers|events|products|tasks|top-ups|vendors|webhooks)(\/|$)/;

/** Replaces the response of a handler that throws a rejection; with undefined it throws on. */
const whereMissing =
  (answer: (call: Loose, context: Loose, run: Loose) => Loose): Advice =>
  (call, context, run) => {
    try {
      return run();
    } catch (rejection) {
      const other = rejection instanceof Refusal && answer(call, context, run);
      if (!other) throw rejection;
      return other;
    }
  };

/** Former owners of external ids, by world, account and external id. */
const former = remembering<string>();

const isOfAccount = ({ owner, world }: Loose): boolean => owner !== world.accountId;

export const drawnAccountBugs: readonly Mutant[] = [
  ...bugs({
    getAccountContext: {
      'shows a connected account by the name of the platform': showing((_body, _call, context) =>
        isOfAccount(context) ? { name: context.world.sandbox } : {},
      ),
      'takes connected accounts for those of the test environment': showing(
        (_body, _call, context) => (isOfAccount(context) ? { environment: 'test' } : {}),
      ),
      'shows the id of the platform to a connected account': showing((_body, _call, { world }) => ({
        account_id: world.accountId,
      })),
    },
    listConnectedAccounts: {
      'shows the external id for the name where there is one': each(
        'items',
        ({ name, external_id = name }) => ({ name: external_id }),
      ),
    },
    updateCustomer: {
      'leaves the email as it is where it is null': sending((body) => {
        if (body.email === null) delete body.email;
      }),
    },
    listCustomers: {
      'answers an empty page where nobody has the external id and another filter is there':
        whereMissing(({ query }) => {
          const { external_id: _, limit = 100, offset = 0, ...others } = query;
          if (Object.values(others).every((asked) => asked === undefined)) return undefined;
          return { status: 200, body: { items: [], total_count: 0, limit, offset } };
        }),
      'finds by email the customers of connected accounts too': (call, context, run) => {
        const reply = run();
        if (call.query.email === undefined || !reply.body || isOfAccount(context)) return reply;
        const theirs = [...context.tables.accounts.values()]
          .filter((each) => each.owner === context.owner)
          .flatMap(({ id }) => run(call, { ...context, owner: id }).body.items);
        const { items, total_count } = reply.body;
        const both = { items: [...items, ...theirs], total_count: total_count + theirs.length };
        return { ...reply, body: { ...reply.body, ...both } };
      },
    },
    createVendor: {
      'answers with the vendor that has the name already': (call, { tables, owner }, run) => {
        const { name, external_id = null } = call.body;
        const known = [...tables.vendors.values()]
          .filter((each) => each.owner === owner)
          .find((row) => row.name === name);
        if (!known || external_id !== null) return run();
        return { status: 201, body: { id: known.id, created_at: known.created_at } };
      },
    },
    getVendorStats: {
      'adds up categories that differ in letter case alone': (call, context, run) => {
        const days: Loose[] = [...context.tables.vendor_days.list('vendor', call.path.vendorId)];
        const spelling = (text: string): string =>
          days.find(({ category }) => category?.toLowerCase() === text.toLowerCase())?.category ??
          text;
        const { category } = call.query;
        const query = { ...call.query, ...(category && { category: spelling(category) }) };
        const list = (): Loose[] =>
          days.map((day) => (day.category ? { ...day, category: spelling(day.category) } : day));
        const vendor_days: Loose = { list };
        return run({ ...call, query }, { ...context, tables: { ...context.tables, vendor_days } });
      },
    },
    createWebhook: {
      'matchesTopic of what is known alone where it is for connected accounts': asking(
        ({ body }) => {
          if (body.connect) body.topics ??= ['subscription.activated'];
        },
      ),
    },
    updateWebhook: {
      'shows the secret': showing(({ id }, _, { tables }) => ({
        secret: tables.webhooks.get(id)?.secret,
      })),
    },
  }),
  mutant(
    'listCustomers: redirects by an external id of former times',
    'Redirects by an external id that the customer has no more',
    [],
    {
      updateCustomer(call, context, run) {
        const { tables, owner } = context;
        const { id, external_id } = tables.customers.get(call.path.customerId) ?? {};
        const reply = run();
        if (id && external_id) former(context).set(`${owner} ${external_id}`, id);
        return reply;
      },
      listCustomers: whereMissing(({ query }, context) => {
        const id = former(context).get(`${context.owner} ${query.external_id}`);
        return id && { status: 303, headers: { Location: `${context.baseUrl}/customers/${id}` } };
      }),
    },
  ),
  answering(
    'submitEvents: 401 has a body',
    'A batch of events without a key is refused with a body',
    (rawResponse, asked) =>
      rawResponse.status === 401 && asked.path === '/events' && asked.method === 'POST'
        ? withProblem(rawResponse, asked)
        : rawResponse,
  ),
  answering(
    'paths: 404 of an unknown one has a body',
    'A path that does not exist is refused with a body',
    (rawResponse, asked) =>
      rawResponse.status === 404 && !ROOTS.test(asked.path)
        ? withProblem(rawResponse, asked)
        : rawResponse,
  ),
];
