import { asking, each, type Loose, type Mutant } from '../mutant.ts';
import { bug, sending } from './bug.ts';
import { filteringThePage, keeping, overlay, refuse, relisted, withoutZone } from './deep.ts';

const stored = ({ tables, owner }: Loose, id: string): Loose =>
  tables.events.get(`${owner}\n${id.toLowerCase()}`);

/** How usage events are taken in and listed. */
export const intakeBugs: readonly Mutant[] = [
  bug(
    'stops a batch at the first event that is known',
    'submitEvents',
    asking(({ body }, context) => {
      const place = body.events.findIndex(({ id }: Loose) => stored(context, id));
      if (place >= 0) body.events = body.events.slice(0, Math.max(1, place));
    }),
  ),
  bug('refuses a repeated event that has costs', 'submitEvents', (call, context, run) => {
    for (const [place, { id, costs }] of call.body.events.entries())
      if (costs?.length && stored(context, id)) refuse(`events[${place}].costs[0].id`);
    return run();
  }),
  bug('values costs and debt at the rate of now', 'submitEvents', (call, context, run) => {
    const inForce = (list: Loose[]): Loose[] => {
      const period = list.find(
        ({ valid_from, valid_to }) =>
          valid_from <= context.now && (valid_to === undefined || valid_to > context.now),
      );
      return period ? [{ ...period, valid_from: '1970-01-01T00:00:00.000Z' }] : list;
    };
    const present = (row: Loose): Loose =>
      row && {
        ...row,
        schedules: Object.fromEntries(
          Object.entries(row.schedules as Record<string, Loose[]>).map(([source, list]) => [
            source,
            inForce(list),
          ]),
        ),
      };
    return run(
      call,
      overlay(context, 'assets', (table) => ({ get: (id: string) => present(table.get(id)) })),
    );
  }),
  bug(
    'takes the time of an offset for one in UTC',
    'submitEvents',
    sending(({ events }) => {
      for (const event of events) event.occurred_at = withoutZone(event.occurred_at);
    }),
  ),
  bug(
    'makes the latest event of a batch the last of its task',
    'submitEvents',
    keeping('tasks', (row, { body }) => {
      const last = body.events.findLast(({ subject }: Loose) => subject === row.subject);
      return last ? { ...row, last_updated_at: new Date(last.occurred_at).toISOString() } : row;
    }),
  ),
  bug(
    'adds late usage to the stats of the day of submission',
    'submitEvents',
    (call, context, run) => {
      const today = context.now.slice(0, 10);
      const idOf = (id: string): string => `${id.split('\n')[0]}\n${today}`;
      return run(
        call,
        overlay(context, 'daily_totals', (table) => ({
          get: (id: string) => table.get(idOf(id)),
          put: (row: Loose) => table.put({ ...row, id: idOf(row.id), day: today }),
        })),
      );
    },
  ),
  bug(
    'adds up fees of different assets as they stand',
    'listEvents',
    each('items', ({ id }, _, context) => {
      const { fees } = stored(context, id);
      if (fees.length < 2) return {};
      const total_fees = fees.reduce((sum: number, { amount }: Loose) => sum + Number(amount), 0);
      return { total_fees, fee_currency: fees[0].terms.currency };
    }),
  ),
  bug(
    'filters by fees once the page is cut',
    'listEvents',
    filteringThePage('has_fees', ({ has_fees }, wanted) => has_fees === wanted),
  ),
  bug(
    'lists the events of one batch in the order of the batch',
    'listEvents',
    relisted([], (items) =>
      items
        .toReversed()
        .toSorted((left, right) =>
          left.created_at < right.created_at ? 1 : left.created_at > right.created_at ? -1 : 0,
        ),
    ),
  ),
];
