import { groupBy } from '../../../domain/collections.ts';
import {
  compare,
  type Decimal,
  decimal,
  format,
  isNegative,
  ZERO,
} from '../../../domain/decimal.ts';
import { levelOf } from '../../../resources/warnings.ts';
import { ask, type RankQuery, rank, rowsOf, type Sums, select } from '../../../store/query.ts';
import type {
  CustomerRow,
  WalletAccountRow,
  WarningRow,
  WebhookEventRow,
} from '../../../store/records.ts';
import { type Tables, uuidKey } from '../../../store/schema.ts';
import type { World } from '../../../store/world.ts';
import { plural } from '../../../text/wording.ts';
import type { PageName } from '../../paths.ts';
import { distanceText } from '../../time.tsx';
import { quantity, shortName } from '../../wording.ts';
import { profitByDay, profitOf } from '../customers/profit.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { ALL_ROWS } from '../search/list.ts';
import { failingEvents, isFailing, reasonOf } from '../webhooks/deliveries.tsx';

const MAX_NAMED = 2;
const MAX_OF_WARNING = 160;
const MAX_OF_URL = 60;
/** Only the latest warnings are grouped, and only so many groups are shown. */
const MAX_WARNINGS = 1_000;
const MAX_GROUPS = 5;
const MAX_CUSTOMERS = 3;

/** A problem in a world, with a link to what it concerns. */
interface Matter {
  readonly what: string;
  readonly more: string;
  readonly href: string;
  readonly tone: 'fail' | 'warn';
}

export type Overview = Awaited<ReturnType<typeof findOverview>>;

/** What the overview counts: it is found before the page is written. */
export async function findOverview(request: InspectorRequest) {
  const { tables } = request.world;
  const { subscriptions } = tables;
  return {
    profit: profitOf(await profitByDay(request)),
    active: await ask(subscriptions, { where: { status: 'active' } }, ({ length }) => length),
    unpaid: await select(subscriptions, { where: { status: 'action_required' } }, (rows) => rows),
    belowZero: await customersBelowZero(tables),
  };
}

/** The customers with a balance below zero in an asset, over all accounts, and the lowest of them. */
const customersBelowZero = async ({ wallet_accounts }: Tables) =>
  rank(wallet_accounts, BALANCES, ({ order }) => {
    const count = order.countWhile(({ sums }) => isNegative(lowestOf(sums).amount));
    return { count, lowest: order.page(0, Math.min(count, MAX_NAMED)) };
  });

const BALANCES: RankQuery<WalletAccountRow> = {
  named: 'balances',
  key: ({ customer_id }) => customer_id,
  amounts: ({ asset, available }) => [[asset, decimal(available)]],
  compare: (left, right) =>
    compare(lowestOf(left.sums).amount, lowestOf(right.sums).amount) ||
    (left.key < right.key ? -1 : 1),
};

/** The lowest balance, and its asset. */
function lowestOf(balances: Sums): { readonly asset: string; readonly amount: Decimal } {
  let lowest: { asset: string; amount: Decimal } | undefined;
  for (const [asset, amount] of balances)
    if (!lowest || compare(amount, lowest.amount) < 0) lowest = { asset, amount };
  return lowest ?? { asset: '', amount: ZERO };
}

/** Returns the problems in a world, the worst first. */
export function attentionOf(
  request: InspectorRequest,
  { unpaid, belowZero }: Overview,
): readonly Matter[] {
  const { world, link } = request;
  const failing = failingEvents(world);
  const latest = failing.at(-1);
  const matters: readonly (Matter | false)[] = [
    latest !== undefined && {
      what: `${plural(failing.length, 'webhook event is', 'webhook events are')} not delivered`,
      more: failureText(world, latest),
      href: link('webhooks'),
      tone: 'fail',
    },
    belowZero.count > 0 && {
      what: `${plural(belowZero.count, 'customer')} below zero`,
      more: lowestText(request, belowZero),
      href: link('customers', { q: 'balance:<0', search: ALL_ROWS }),
      tone: 'fail',
    },
    unpaid.length > 0 && {
      what: plural(unpaid.length, 'subscription awaits payment', 'subscriptions await payment'),
      more: `Of ${namesText(world.tables, unpaid)}: a fixed fee is due and not paid.`,
      href: link('customers', { q: 'status:unpaid', search: ALL_ROWS }),
      tone: 'warn',
    },
    ...warningGroups(request),
  ];
  return matters.filter((matter) => matter !== false);
}

/** How the latest attempt to deliver an event failed, such as `Latest: topic to URL: 500; next attempt in 1 hour`. */
function failureText({ tables, now }: World, { id, topic }: WebhookEventRow): string {
  const failed = rowsOf(tables.deliveries, { webhook_event: id }).find(isFailing);
  if (!failed) return `Latest: ${topic}`;
  const { destination_id, exchanges, next_attempt_at: next } = failed;
  const url = tables.webhooks.get(destination_id)?.url ?? 'a deleted destination';
  const latest = exchanges.at(-1);
  const then = next === null ? 'given up' : `next attempt ${distanceText(next, now)}`;
  const why = latest && (latest.status_code ?? reasonOf(latest));
  return `Latest: ${topic} to ${url.slice(0, MAX_OF_URL)}: ${why}; ${then}`;
}

/** The lowest balances, each with its customer, such as `Acme −$5.00, Globex −$1.20 and 3 more`. */
function lowestText(
  { world, contextOf }: InspectorRequest,
  { lowest, count }: Overview['belowZero'],
): string {
  const texts = lowest.map(({ key, sums }) => {
    const { name, owner } = world.tables.customers.get(key) as CustomerRow;
    const { asset, amount } = lowestOf(sums);
    return `${shortName(name)} ${quantity(contextOf(owner), format(amount), asset)}`;
  });
  return firstText(texts, count);
}

/** Where to correct what warnings other than those about usage are about. */
const PAGES_OF_WARNINGS: Partial<Readonly<Record<WarningRow['kind'], PageName>>> = {
  no_account: 'webhooks',
  unknown_topic: 'webhooks',
  unpriced_asset: 'products',
  unpriced_cost: 'products',
  unusual_rate: 'products',
};

/** The latest warnings by kind, newest first, each with the customers that they are about. */
function warningGroups({ world, link }: InspectorRequest): readonly Matter[] {
  const rows = rowsOf(world.tables.warnings)
    .slice(-MAX_WARNINGS)
    .filter(({ kind }) => levelOf(kind) === 'warning')
    .reverse();
  return [...groupBy(rows, ({ kind }) => kind)].slice(0, MAX_GROUPS).map(([kind, members]) => {
    const page = PAGES_OF_WARNINGS[kind];
    return {
      what: `${plural(members.length, 'warning')}: ${kind.replaceAll('_', ' ')}`,
      more: `${customersText(world.tables, members)} ${members[0]?.message.slice(0, MAX_OF_WARNING)}`,
      href: page ? link(page) : link('usage', { q: `warning:${kind}` }),
      tone: 'warn',
    };
  });
}

/** The customers that warnings are about, such as `Of Acme (3), Globex and 2 more; latest:`. */
function customersText(tables: Tables, warnings: readonly WarningRow[]): string {
  const names = namesText(
    tables,
    warnings.map((row) => ({ customer_id: customerOf(tables, row) })),
  );
  return names === '' ? 'Latest:' : `Of ${names}; latest:`;
}

/** The id of the customer whose event a warning is about; undefined if it is about none. */
const customerOf = ({ events }: Tables, { owner, event_id }: WarningRow) =>
  event_id === undefined ? undefined : events.get(uuidKey(owner, event_id))?.customer_id;

/** The first customers of records, with the number of records of those that have several. */
function namesText(
  { customers }: Tables,
  records: readonly { readonly customer_id: string | undefined }[],
): string {
  const names = [...groupBy(records, ({ customer_id }) => customer_id)].flatMap(([id, group]) => {
    const name = customers.get(id ?? '')?.name;
    if (name === undefined) return [];
    return group.length === 1 ? shortName(name) : `${shortName(name)} (${group.length})`;
  });
  return firstText(names.slice(0, MAX_CUSTOMERS), names.length);
}

/** The first texts of several, and how many more there are. */
function firstText(texts: readonly string[], count: number): string {
  const rest = count - texts.length;
  return texts.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
