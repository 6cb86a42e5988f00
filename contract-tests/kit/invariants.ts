import { amount } from './exact-json.ts';
import { Rational } from './rational.ts';
import type { ShapeFinding } from './shape.ts';

// biome-ignore lint/suspicious/noExplicitAny: An object of a response, whose shape has been validated.
type Part = any;

/** What always holds of an object that has certain fields, wherever a response has it. */
interface Invariant {
  readonly fields: readonly string[];
  readonly assumption: string;
  /** A sentence of what it breaks; undefined if it holds. */
  readonly defect: (part: Part) => string | undefined;
}

const INVARIANTS: readonly Invariant[] = [
  {
    fields: ['gross_revenue', 'total_costs', 'net_revenue', 'margin'],
    assumption: 'A-902',
    defect(stats) {
      const [gross, net] = [amount(stats, 'gross_revenue'), amount(stats, 'net_revenue')];
      if (!net.equals(gross.minus(amount(stats, 'total_costs'))))
        return 'net_revenue is not gross_revenue - total_costs';
      const isWrong = gross.sign === 0 ? stats.margin !== 0 : !isNear(stats, net.over(gross));
      return isWrong ? 'margin is not net_revenue ÷ gross_revenue' : undefined;
    },
  },
  {
    fields: ['items', 'total_count', 'limit', 'offset'],
    assumption: 'A-305',
    defect({ items, total_count, limit, offset }) {
      const due = Math.min(limit, Math.max(0, total_count - offset));
      if (items.length !== due) return 'items are not as many as total_count, limit and offset say';
      if (hasRepetition(items)) return 'items has the same one twice';
      const moments = items.map(({ created_at }: Part) => created_at).reverse();
      const isNewestFirst = items.some(hasOtherOrder) || isSorted(moments);
      return isNewestFirst ? undefined : 'items are not newest first';
    },
  },
  ...(
    [
      ['created_at', 'updated_at', 'A-302'],
      ['created_at', 'last_updated_at', 'A-1001'],
      ['valid_from', 'valid_to', 'A-403'],
      ['created_at', 'executed_at', 'A-709'],
    ] as const
  ).map(([first, second, assumption]) => ({
    fields: [first, second],
    assumption,
    defect: (part: Part) =>
      part[second] !== null && part[second] < part[first]
        ? `${second} is before ${first}`
        : undefined,
  })),
  {
    fields: ['status', 'products', 'required_actions'],
    assumption: 'A-604',
    defect({ status, started_at, required_actions }) {
      const asks = required_actions.length > 0;
      if (asks !== (status === 'action_required')) return 'required_actions does not fit status';
      return status === 'active' && !started_at ? 'started_at is missing' : undefined;
    },
  },
  {
    fields: ['active_subscription_count', 'subscriptions'],
    assumption: 'A-602',
    defect({ active_subscription_count, subscriptions }) {
      const active = subscriptions.filter(({ status }: Part) => status === 'active');
      return active.length === active_subscription_count
        ? undefined
        : 'active_subscription_count is not that of subscriptions';
    },
  },
  {
    fields: ['is_default', 'status'],
    assumption: 'A-502',
    defect: ({ is_default, status }) =>
      is_default && status === 'archived' ? 'an archived version is the default' : undefined,
  },
  {
    fields: ['default_version', 'versions'],
    assumption: 'A-502',
    defect({ default_version, versions }) {
      const held = versions.find(({ version }: Part) => version === default_version.version);
      return held?.status === 'archived' ? 'default_version is archived' : undefined;
    },
  },
  {
    fields: ['has_fees'],
    assumption: 'A-806',
    defect: ({ has_fees, total_fees, fee_currency }) =>
      has_fees === (total_fees != null) && has_fees === (fee_currency != null)
        ? undefined
        : 'has_fees does not fit total_fees and fee_currency',
  },
  {
    fields: ['id', 'name', 'asset', 'available'],
    assumption: 'A-702',
    defect: ({ id, name, asset }) =>
      id === `${name}:${asset}` ? undefined : 'id is not name:asset',
  },
  {
    fields: ['successful_at', 'failed_at'],
    assumption: 'A-1205',
    defect: ({ successful_at, failed_at }) =>
      successful_at && failed_at ? 'successful_at and failed_at are both set' : undefined,
  },
  {
    fields: ['events', 'vendors', 'stats'],
    assumption: 'A-1001',
    defect({ events, vendors, stats }) {
      const total = amount(stats, 'total_costs');
      if (!sumOfCosts(vendors).equals(total)) return 'total_costs is not the sum over vendors';
      const costs = events.flatMap((event: Part) => event.stats ?? []);
      return costs.length < events.length || sumOfCosts(costs).equals(total)
        ? undefined
        : 'total_costs is not the sum over events';
    },
  },
  {
    fields: ['costs', 'fees', 'stats'],
    assumption: 'A-901',
    defect({ costs, stats }) {
      if (costs.some(({ currency }: Part) => currency !== stats.currency)) return undefined;
      const total = Rational.sum(costs.map((cost: Part) => amount(cost, 'amount')));
      return total.equals(amount(stats, 'total_costs'))
        ? undefined
        : 'total_costs is not the sum of costs';
    },
  },
  {
    fields: ['total_costs', 'categories'],
    assumption: 'A-904',
    defect(stats) {
      const { categories } = stats;
      if (!isSorted(categories.map(({ category }: Part) => category)))
        return 'categories are not sorted by name';
      const total = Rational.sum(categories.map((each: Part) => amount(each, 'cost')));
      return total.equals(amount(stats, 'total_costs'))
        ? undefined
        : 'total_costs is not the sum over categories';
    },
  },
  {
    fields: ['summary', 'items', 'total_count'],
    assumption: 'A-903',
    defect({ summary, items, total_count }) {
      const revenues: Rational[] = items.map(({ stats }: Part) => amount(stats, 'gross_revenue'));
      if (revenues.some((revenue, index) => revenue.compare(revenues[index - 1] ?? revenue) > 0))
        return 'items are not in the order of their revenue';
      if (items.length < total_count) return undefined;
      const isWhole =
        Rational.sum(revenues).equals(amount(summary, 'gross_revenue')) &&
        sumOfCosts(items.map(({ stats }: Part) => stats)).equals(amount(summary, 'total_costs'));
      return isWhole ? undefined : 'summary is not the sum over items';
    },
  },
  {
    fields: ['event_count', 'events', 'created_at', 'last_updated_at'],
    assumption: 'A-1001',
    defect({ event_count, events, created_at, last_updated_at }) {
      const moments = events.map(({ occurred_at }: Part) => occurred_at);
      if (event_count !== events.length) return 'event_count is not that of events';
      if (!isSorted(moments)) return 'events are not in the order in which they occurred';
      return moments[0] === created_at && moments.at(-1) === last_updated_at
        ? undefined
        : 'created_at and last_updated_at are not those of events';
    },
  },
];

/** What a response breaks of what holds of every response, whatever check sent the request. */
export function invariantFindings(body: unknown): readonly ShapeFinding[] {
  if (typeof body !== 'object' || body === null) return [];
  const own = INVARIANTS.filter(({ fields }) => fields.every((field) => field in body)).flatMap(
    ({ defect, assumption }): ShapeFinding[] => {
      const finding = defect(body);
      return finding === undefined ? [] : [{ kind: 'refuted', finding, assumptions: [assumption] }];
    },
  );
  return [...own, ...Object.values(body).flatMap(invariantFindings)];
}

/** What the Date of a response breaks, if the response made an object: it is not before the object. */
export function dateFindings(
  date: unknown,
  made: { created_at?: string },
): readonly ShapeFinding[] {
  if (typeof made.created_at !== 'string') return [];
  const second = made.created_at.replace(/\.\d+/, '');
  if (Date.parse(String(date)) >= Date.parse(second)) return [];
  return [{ kind: 'refuted', finding: 'Date is before created_at', assumptions: ['A-205'] }];
}

/** Whether texts are in the order of their characters. */
const isSorted = (texts: readonly string[]): boolean =>
  texts.every((text, index) => index === 0 || (texts[index - 1] as string) <= text);

const sumOfCosts = (parts: readonly Part[]): Rational =>
  Rational.sum(parts.map((part) => amount(part, 'total_costs')));

/** Whether a margin is a ratio to 12 digits. */
function isNear(stats: Part, ratio: Rational): boolean {
  const distance = amount<Part>(stats, 'margin').minus(ratio).absolute;
  return distance.compare(ratio.absolute.over(1e11)) <= 0;
}

/** Whether an item shows no creation, or is a task, which is listed by other times. */
const hasOtherOrder = ({ created_at, last_updated_at }: Part): boolean =>
  created_at === undefined || last_updated_at !== undefined;

function hasRepetition(items: readonly Part[]): boolean {
  const keys = items.map(
    ({ id, customer_id, code, version }) => `${id ?? customer_id ?? code} ${version}`,
  );
  return new Set(keys).size < keys.length;
}
