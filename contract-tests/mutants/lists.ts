import type { OperationId } from 'billing-emulator/spec';
import { type Advice, type Mutant, mutant } from './mutant.ts';

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

const onLists = (advice: Advice) => Object.fromEntries(LISTS.map((list) => [list, advice]));

export const listMutants: readonly Mutant[] = [
  mutant(
    'offset-off-by-one',
    'An offset skips one too many',
    ['X-13'],
    onLists((call, _, run) => {
      if (!call.query.offset) return run();
      const reply = run({ ...call, query: { ...call.query, offset: call.query.offset + 1 } });
      return { ...reply, body: { ...reply.body, offset: call.query.offset } };
    }),
  ),
  mutant(
    'offset-ignored',
    'Offsets are ignored',
    ['X-13', 'X-14'],
    onLists((call, _, run) => {
      const reply = run({ ...call, query: { ...call.query, offset: 0 } });
      return reply.body
        ? { ...reply, body: { ...reply.body, offset: call.query.offset ?? 0 } }
        : reply;
    }),
  ),
  mutant(
    'limit-ignored',
    'Limits are ignored',
    ['X-13'],
    onLists((call, _, run) => {
      const reply = run({ ...call, query: { ...call.query, limit: 1000 } });
      return reply.body
        ? { ...reply, body: { ...reply.body, limit: call.query.limit ?? 100 } }
        : reply;
    }),
  ),
];
