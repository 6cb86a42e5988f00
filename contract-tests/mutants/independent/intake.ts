import { asking, each, type Loose, type Mutant } from '../mutant.ts';
import { bugs, sending } from './bug.ts';
import {
  filteringThePage,
  keeping,
  refuse,
  relisted,
  rescheduled,
  seeing,
  through,
  withoutZone,
} from './deep.ts';

const stored = ({ tables, owner }: Loose, id: string): Loose =>
  tables.events.get(`${owner}\n${id.toLowerCase()}`);

/** The current rate as the only rate, valid at any time. */
const inForce = (list: Loose[], now: string): Loose[] => {
  const period = list.find(
    ({ valid_from, valid_to }) => valid_from <= now && (valid_to === undefined || valid_to > now),
  );
  return period ? [{ ...period, valid_from: '1970-01-01T00:00:00.000Z' }] : list;
};

/** Bugs in submitting and listing usage events. */
export const intakeBugs: readonly Mutant[] = bugs({
  submitEvents: {
    'stops a batch at the first event that is known': asking(({ body }, context) => {
      const place = body.events.findIndex(({ id }: Loose) => stored(context, id));
      if (place >= 0) body.events = body.events.slice(0, Math.max(1, place));
    }),
    'refuses a repeated event that has costs': (call, context, run) => {
      for (const [place, { id, costs }] of call.body.events.entries())
        if (costs?.length && stored(context, id)) refuse(`events[${place}].costs[0].id`);
      return run();
    },
    'values costs and debt at the rate of now': seeing('assets', (row, _, { now }) =>
      rescheduled(row, (list) => inForce(list, now)),
    ),
    'takes the time of an offset for one in UTC': sending(({ events }) => {
      for (const event of events) event.occurred_at = withoutZone(event.occurred_at);
    }),
    'makes the latest event of a batch the last of its task': keeping('tasks', (row, { body }) => {
      const last = body.events.findLast(({ subject }: Loose) => subject === row.subject);
      return last ? { ...row, last_updated_at: new Date(last.occurred_at).toISOString() } : row;
    }),
    'adds late usage to the stats of the day of submission': through(
      'totals',
      (table, _, { now }) => {
        const day = now.slice(0, 10);
        const idOf = (id: string): string =>
          id.includes('\n') ? `${id.split('\n')[0]}\n${day}` : id;
        return {
          get: (id: string) => table.get(idOf(id)),
          put: (row: Loose) => table.put(row.day ? { ...row, id: idOf(row.id), day } : row),
        };
      },
    ),
  },
  listEvents: {
    'adds up fees of different assets as they stand': each('items', ({ id }, _, context) => {
      const { fees } = stored(context, id);
      if (fees.length < 2) return {};
      const total_fees = fees.reduce((sum: number, { amount }: Loose) => sum + Number(amount), 0);
      return { total_fees, fee_currency: fees[0].terms.currency };
    }),
    'filters by fees once the page is cut': filteringThePage(
      'has_fees',
      ({ has_fees }, wanted) => has_fees === wanted,
    ),
    'lists the events of one batch in the order of the batch': relisted([], (items) =>
      items
        .toReversed()
        .toSorted((left, right) =>
          left.created_at < right.created_at ? 1 : left.created_at > right.created_at ? -1 : 0,
        ),
    ),
  },
});
