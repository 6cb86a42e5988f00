import { key } from 'billing-emulator/internals';
import { type Loose, type Mutant, showing } from '../../mutant.ts';
import { relisted, through } from '../deep.ts';
import { against } from '../production/window.ts';

/** Collations, unique indexes, scopes, nulls and limits of databases. */
export const databaseBugs: readonly Mutant[] = [
  against(
    'A-602: name matches a part of the name',
    'takes an underscore in the name filter for any character',
    {
      listCustomers(call, context, run) {
        return call.query.name?.includes('_') ? namedLike(call, context, run) : run();
      },
    },
  ),
  against('GET /assets: sorted by code alphabetically', 'sorts digits in codes by their value', {
    listAssets: relisted([], (items) =>
      items.toSorted((left, right) => NATURAL.compare(left.code, right.code)),
    ),
  }),
  against(
    'A-501, A-503: a code is unique, and only deleting an unused product frees it',
    'accepts the code of an archived product again',
    {
      createProduct: through('products', (table) => ({
        first(index: string, name: string) {
          const row = table.first(index, name);
          return row?.archived ? undefined : row;
        },
      })),
    },
  ),
  against(
    'Testing and log: GET /webhooks/events returns every delivery attempt',
    'deletes the log of a destination together with the destination',
    {
      listWebhookEvents: showing(({ items }, _, { tables }) => ({
        items: items.filter(
          ({ matched_destination_ids: matched }: Loose) =>
            matched.length === 0 || matched.some((id: string) => tables.webhooks.get(id)),
        ),
      })),
    },
  ),
  against(
    'A-802: a repeated id for the same customer is ignored, whatever its content',
    'takes the description of an event that is sent again',
    {
      submitEvents({ body }, { tables, owner }, run) {
        const former: Loose[] = body.events.map(({ id }: Loose) =>
          tables.events.get(key(owner, id.toLowerCase())),
        );
        const reply = run();
        for (const [place, { description }] of body.events.entries())
          if (former[place] && typeof description === 'string')
            tables.events.put({ ...former[place], description });
        return reply;
      },
    },
  ),
  against(
    'Task: the set of events of one customer sharing one subject; detail: events',
    'shows the first page of the events of a task',
    { getTask: showing(({ events }) => ({ events: events.slice(0, 100) })) },
  ),
  against(
    'A-904: categories, an array of {category, cost} by name',
    'groups the costs of a vendor by category in any letter case',
    {
      getVendorStats: showing(({ categories }) => {
        const sums = new Map<string, Loose>();
        for (const { category, cost } of categories) {
          const name = category.toLowerCase();
          const known = sums.get(name);
          const total = Number(((known?.cost ?? 0) + Number(cost)).toFixed(10));
          sums.set(name, known ? { ...known, cost: total } : { category, cost });
        }
        return { categories: [...sums.values()] };
      }),
    },
  ),
  against(
    'A-704: expired_from and expired_to are inclusive bounds on expires_at',
    'finds credit that never expires by the beginning of an expiry range',
    {
      listGrants(call, context, run) {
        return call.query.expired_from ? endingLate(call, context, run) : run();
      },
    },
  ),
];

const NATURAL = new Intl.Collator('en', { numeric: true });

const namedLike = relisted(['name'], (items, query) => {
  const pattern = query.name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('_', '.');
  const like = new RegExp(pattern, 'i');
  return items.filter(({ name }) => like.test(name));
});

const endingLate = relisted(['expired_from'], (items, query) => {
  const from = new Date(query.expired_from).toISOString();
  return items.filter(({ expires_at }) => expires_at === null || expires_at >= from);
});
