import { asking, type Loose, type Mutant, showing } from '../../mutant.ts';
import { bugs } from '../bug.ts';
import { ask, keeping, relisted } from '../deep.ts';

/** Bugs in usage, tasks, adjustments and credit. */

const ENDS = ['last_updated_to', 'created_to'];

const isNamed = ({ query }: Loose): boolean =>
  (query.customer_id ?? query.customer_external_id) !== undefined;

const isKnown = ({ query }: Loose, { tables, owner }: Loose): boolean => {
  const { customer_id: id, customer_external_id: external } = query;
  const ofExternal = tables.customers.first('external', `${owner}\n${external}`);
  return (id && tables.customers.get(id)?.owner === owner) || ofExternal !== undefined;
};

/** A stored event whose costs are not converted to the reporting currency. */
const unconverted = (row: Loose): Loose => {
  if (row.costs.every(({ amount, cost }: Loose) => amount === cost)) return row;
  const costs = row.costs.map((record: Loose) => ({ ...record, cost: record.amount }));
  const total = costs.reduce((sum: number, { cost }: Loose) => sum + Number(cost), 0);
  return { ...row, costs, cost: String(Number(total.toFixed(10))) };
};

export const secondUsageBugs: readonly Mutant[] = bugs({
  adjustWallet: {
    'takes a negative adjustment for a charge': (call, context, run) => {
      const { amount, reason: _reason, expires_at, effective_at, ...body } = call.body;
      if (amount > 0 || expires_at || effective_at) return run();
      ask('chargeWallet', { ...call, body: { ...body, amount: -amount } }, context);
      const path = { ...call.path, transactionId: body.transaction_id };
      const { id, created_at } = ask('getWalletTransaction', { path }, context).body;
      return { status: 201, body: { id, created_at } };
    },
  },
  listGrants: {
    'finds credit without an end by expired_from': relisted(['expired_from'], (items, query) =>
      items.filter(
        ({ expires_at }) =>
          query.expired_from === undefined ||
          expires_at === null ||
          Date.parse(expires_at) >= Date.parse(query.expired_from),
      ),
    ),
  },
  submitEvents: { 'adds costs of other currencies as they are': keeping('events', unconverted) },
  listEvents: {
    'leaves out limit and offset for a customer that it does not know': showing(
      (body, call, context) => {
        if (!isNamed(call) || isKnown(call, context)) return;
        delete body.limit;
        delete body.offset;
      },
    ),
  },
  listTasks: {
    'ends a period as its last day begins': relisted(ENDS, (items, query) =>
      items.filter((item) =>
        ENDS.every((name) => {
          const moment = item[name.replace('_to', '_at')];
          return query[name] === undefined || Date.parse(moment) <= Date.parse(query[name]);
        }),
      ),
    ),
  },
  getTask: {
    'ends the subject at its first colon': asking(({ path }) => {
      path.taskId = path.taskId.split(':').slice(0, 2).join(':');
    }),
  },
});
