import type { OperationId } from 'billing-emulator/spec';
import { type Advice, kindOfMutant, type Mutant } from './mutant.ts';

const LISTS: readonly OperationId[] = [
  'listConnectedAccounts',
  'listAssets',
  'listCustomers',
  'listEvents',
  'listProducts',
  'listProductVersions',
  'listTasks',
  'listVendors',
  'listCustomerStats',
];

/** A mutant with the same defect in every list. */
const ofLists = kindOfMutant((advice: Advice) => ({
  around: Object.fromEntries(LISTS.map((list) => [list, advice])),
}));

export const listMutants: readonly Mutant[] = [
  ofLists('An offset skips one too many', ['X-35', 'X-13'], (call, _, run) => {
    if (!call.query.offset) return run();
    const reply = run({ ...call, query: { ...call.query, offset: call.query.offset + 1 } });
    return { ...reply, body: { ...reply.body, offset: call.query.offset } };
  }),
  ofLists('Offsets are ignored', ['X-35', 'X-13'], (call, _, run) => {
    const reply = run({ ...call, query: { ...call.query, offset: 0 } });
    return reply.body
      ? { ...reply, body: { ...reply.body, offset: call.query.offset ?? 0 } }
      : reply;
  }),
  ofLists('Limits are ignored', ['X-35', 'X-13'], (call, _, run) => {
    const reply = run({ ...call, query: { ...call.query, limit: 1000 } });
    return reply.body
      ? { ...reply, body: { ...reply.body, limit: call.query.limit ?? 100 } }
      : reply;
  }),
];
