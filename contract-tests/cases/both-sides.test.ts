import { amount, api, check, describe, expect, Rational } from '../kit/index.ts';
import { stored, taskOf } from './shared/events.ts';
import { aHistory } from './shared/history.ts';

/** The sum of a numeric field over parts of responses. */
function sum<T extends object>(parts: readonly T[], name: keyof T & string): Rational {
  return parts
    .map((part) => amount(part, name))
    .reduce((all, one) => all.plus(one), Rational.of(0));
}

const byId = <T extends { readonly id: string }>(parts: readonly T[]) =>
  new Map(parts.map((part) => [part.id, part]));

describe('numbers that two operations report', () => {
  check(
    'TSK-12',
    { requirement: ['R-TSK-05', 'R-TSK-06', 'R-TSK-07'], level: 'IMPLIED', effect: 'E3' },
    'a task in the list and by id, its events and each event by id → the same',
    async () => {
      const { customer, subjects, ids } = await aHistory();
      const { items } = await api('listTasks', { query: { customer_id: customer.id } }, 200);
      for (const [index, subject] of subjects.entries()) {
        const { events, vendors, ...summary } = await taskOf(customer, subject);
        const own = await Promise.all(ids.slice(2 * index, 2 * index + 2).map(stored));

        expect(items.find(({ id }) => id === summary.id)).toEqual(summary);
        expect(byId(events)).toEqual(byId(own));
        expect(String(sum(vendors, 'total_costs'))).toBe(
          String(amount(summary.stats, 'total_costs')),
        );
      }
    },
  );
});
