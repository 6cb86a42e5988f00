import { key, RuleViolation } from 'billing-emulator/internals';
import { type Advice, after, asking, type Loose, type Mutant } from '../../mutant.ts';
import { remembering } from '../bug.ts';
import { refuse, relisted } from '../deep.ts';
import { against } from '../production/window.ts';

const destinationOf = ({ webhookId }: Loose, { tables, owner }: Loose): Loose => {
  const row = tables.webhooks.get(webhookId.replace(/^whd_/, 'dst_'));
  return row?.owner === owner ? row : undefined;
};

const productOf = ({ productId }: Loose, { tables, owner }: Loose): Loose =>
  tables.products.get(productId) ?? tables.products.first('code', key(owner, productId));

/** Touches a destination after the request, so that its rejection does not undo it. */
const touchingWhatItRefuses: Advice = ({ path }, context, run) => {
  try {
    return run();
  } catch (error) {
    const { world, tables } = context;
    if (error instanceof RuleViolation)
      setImmediate(() => {
        const row = world.isClosed ? undefined : destinationOf(path, context);
        if (row) world.commit(() => tables.webhooks.put({ ...row, updated_at: world.now }));
      });
    throw error;
  }
};

/** The names of customers when their tasks began. */
const formerNames = remembering<string>();
/** When customers were changed last, in the order of creation. */
const changedAt = remembering<number>();
const placeOf = ({ world }: Loose, id: string): string => `${world.replacements} ${id}`;

/** What a subscription held last ends when it is ended again. */
const endingAgain: Advice = ({ path, body }, { tables, now }, run) => {
  const before: Loose = tables.subscriptions.get(path.subscriptionId);
  const reply = run();
  const subscription: Loose = tables.subscriptions.get(path.subscriptionId);
  const last = subscription?.history.at(-1);
  const isAgain = body.status === 'inactive' && before.status === 'inactive' && last?.to;
  if (!isAgain) return reply;
  const history = [...subscription.history.slice(0, -1), { ...last, to: now }];
  tables.subscriptions.put({ ...subscription, history });
  return reply;
};

/** What an update changes, what it leaves, and where it shows. */
export const updateBugs: readonly Mutant[] = [
  against(
    'A-501: updating a version takes publish; for a draft also name, description, prices and entitlements',
    'publishes a draft without the changes of the same request',
    {
      updateProductVersion(call, { world }, run) {
        const { publish, make_default } = call.body;
        if (publish !== true) return run();
        world.dryRun(() => run());
        const body = { publish, ...(make_default !== undefined && { make_default }) };
        return run({ ...call, body });
      },
    },
  ),
  against(
    'A-502: only make_default: true moves the default',
    'has no default once make_default is false for it',
    {
      updateProductVersion({ path, body }, context, run) {
        const reply = run();
        const product = productOf(path, context);
        const { default_version, ...rest } = product;
        const isDefault = [String(default_version), 'default'].includes(String(path.version));
        if (body.make_default === false && isDefault) context.tables.products.put(rest);
        return reply;
      },
    },
  ),
  against(
    'Webhook destination: updated_at; PATCH /webhooks/{webhookId}: 200 destination; 400, 422',
    'moves updated_at with an update that it refuses',
    { updateWebhook: touchingWhatItRefuses },
  ),
  against(
    'PATCH /webhooks/{webhookId}: optional url, topics, enabled; Destinations: for each event matching its topics',
    'adds new topics to those that a destination has',
    {
      updateWebhook: asking(({ path, body }, context) => {
        const row = destinationOf(path, context);
        if (row && body.topics) body.topics = [...new Set([...row.topics, ...body.topics])];
      }),
    },
  ),
  against(
    'Webhook event log item: matched_destination_ids; Testing and log: every delivery attempt',
    'judges by its present topics which past events a changed destination has matched',
    {
      listWebhookEvents(_, { tables }, run) {
        const reply = run();
        if (!reply.body?.items) return reply;
        const items = reply.body.items.map((item: Loose) => {
          const stillMatches = (id: string) => {
            const row = tables.webhooks.get(id);
            if (!row || row.updated_at <= item.time) return true;
            return row.topics.some((topic) => topic === '*' || topic === item.topic);
          };
          const matched = item.matched_destination_ids.filter(stillMatches);
          return { ...item, matched_destination_ids: matched };
        });
        return { ...reply, body: { ...reply.body, items } };
      },
    },
  ),
  against(
    'A-305: lists are newest first; GET /customers',
    'moves a customer to the top of the list when it is changed',
    {
      updateCustomer: after(({ path }, context) => {
        changedAt(context).set(placeOf(context, path.customerId), context.world.nextSeq());
      }),
      listCustomers: relisted([], (items, _, context) => {
        const seqOf = ({ id }: Loose): number =>
          changedAt(context).get(placeOf(context, id)) ??
          context.tables.customers.get(id)?.seq ??
          0;
        return items.toSorted((left, right) => seqOf(right) - seqOf(left));
      }),
    },
  ),
  against(
    'A-307: on update, null clears the field; Customer: external_id unique across all customers',
    'refuses to clear an external id while another customer has none',
    {
      updateCustomer({ path, body }, { tables, owner }, run) {
        const isBare = (row: Loose) => row.id !== path.customerId && row.external_id === undefined;
        const isRefused =
          body.external_id === null && tables.customers.list('owner', owner).some(isBare);
        return isRefused ? refuse('external_id') : run();
      },
    },
  ),
  against(
    'A-1001: a task list item has customer (id, external_id, name); PATCH /customers/{customerId}',
    'lists the tasks of a customer under the name that it had when they began',
    {
      updateCustomer(call, context, run) {
        const { tables } = context;
        const former: Loose = tables.customers.get(call.path.customerId);
        const reply = run();
        for (const { id } of tables.tasks.list('customer', former.id)) {
          const names = formerNames(context);
          const place = placeOf(context, id);
          if (!names.has(place)) names.set(place, former.name);
        }
        return reply;
      },
      listTasks(_, context, run) {
        const reply = run();
        if (!reply.body?.items) return reply;
        const items = reply.body.items.map((item: Loose) => {
          const name = formerNames(context).get(placeOf(context, item.id)) ?? item.customer.name;
          return { ...item, customer: { ...item.customer, name } };
        });
        return { ...reply, body: { ...reply.body, items } };
      },
    },
  ),
  against(
    'A-606: reactivation returns 422 if one of its versions is archived; change the version first',
    'changes no version of a subscription that has ended',
    {
      updateSubscriptionProduct({ path }, { tables }, run) {
        const { status } = (tables.subscriptions.get(path.subscriptionId) ?? {}) as Loose;
        return status === 'inactive' ? refuse('subscriptionId') : run();
      },
    },
  ),
  against(
    'A-606: an inactive subscription charges no fee for later usage; A-608: an end applies from its own time on',
    'moves the end of a subscription that is ended again',
    { updateSubscription: endingAgain },
  ),
];
