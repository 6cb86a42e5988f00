import { aFreshCustomer, anAdjustment, check, describe, now, restOn } from '../kit/index.ts';
import { type Filter, tryFilters } from './shared/lists.ts';
import { moved } from './shared/times.ts';
import { grantsOf } from './shared/wallets.ts';

describe('time filters to the millisecond', () => {
  check(
    'WAL-46',
    {
      requirement: ['R-WAL-22', 'R-WAL-23', 'R-WAL-24', 'R-WAL-25'],
      level: 'MUST',
      effect: 'E3',
      assumes: 'A-704',
    },
    'grants that end a millisecond apart, and never, by each bound, purpose and exclude_expired, alone and in pairs → the matching ones, their count, their second page',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id, accountId: 'default:USD' };
      const end = now(86_400_000);
      const ids: Record<string, string> = {};
      const effective: Record<string, string> = {};
      const purposes: unknown[] = [];
      for (const [name, reason, expires_at] of [
        ['before', 'gift', moved(end, -1)],
        ['at', 'external_topup', end],
        ['after', 'gift', moved(end, 1)],
        ['never', 'gift', undefined],
      ] as const) {
        await anAdjustment(customer, { reason, ...(expires_at && { expires_at }) });
        const grant = (await grantsOf(customer)).find(({ id }) => !Object.values(ids).includes(id));
        ids[name] = grant?.id as string;
        effective[name] = grant?.effective_at as string;
        purposes.push(grant?.purpose);
      }
      const isAsAssumed = purposes.join() === 'promotion,paid,promotion,promotion';
      await restOn('A-704', isAsAssumed, 'adjustments have other purposes');
      const all = Object.keys(ids);
      const since = (bound: string) => all.filter((name) => (effective[name] as string) >= bound);
      const until = (bound: string) => all.filter((name) => (effective[name] as string) <= bound);
      const { at: middle = '' } = effective;
      const filters: Filter[] = [
        { query: { purpose: 'promotion' }, fits: ['before', 'after', 'never'] },
        { query: { purpose: 'paid' }, fits: ['at'] },
        { query: { exclude_expired: true }, fits: all },
        { query: { expired_from: end }, fits: ['at', 'after'] },
        { query: { expired_from: moved(end, 1) }, fits: ['after'] },
        { query: { expired_to: end }, fits: ['before', 'at'] },
        { query: { expired_to: moved(end, -1) }, fits: ['before'] },
        { query: { effective_from: middle }, fits: since(middle) },
        { query: { effective_from: moved(middle, 1) }, fits: since(moved(middle, 1)) },
        { query: { effective_to: middle }, fits: until(middle) },
        { query: { effective_to: moved(middle, -1) }, fits: until(moved(middle, -1)) },
      ];

      await tryFilters({ list: 'listGrants', path }, ids, filters);
    },
  );
});
