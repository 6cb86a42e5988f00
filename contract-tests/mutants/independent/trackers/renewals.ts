import { key, spansAfter } from 'billing-emulator/internals';
import { asking, type Loose, type Mutant, showing } from '../../mutant.ts';
import { remembering } from '../bug.ts';
import { seeing } from '../deep.ts';
import { during, instantOf, keepingActive, subscriptionDue } from '../due-bug.ts';
import { against } from '../production/window.ts';
import { storingEver } from './lasting.ts';

const moved = remembering<string>();

const HOUR = 3_600_000;
const later = (at: string, hours: number): Loose => instantOf(Date.parse(at) + hours * HOUR);
const isCalendar = (span: Loose): boolean => typeof span !== 'number' && span !== undefined;

/** Calculates renewals on a calendar that is five hours behind UTC. */
const inLocalTime = storingEver('subscriptions', (row) => {
  if (!row.renewal || !row.renews_at || !isCalendar(row.renewal.span)) return row;
  const { from, span, count } = row.renewal;
  const next = spansAfter(later(from, -5), span, count);
  return next ? { ...row, renews_at: later(next, 5) } : row;
});

/** Starts the periods of a subscription again when an overdue fee is paid. */
const fromLatePayment = storingEver('subscriptions', (row, table, { now }) => {
  const former = table.get(row.id);
  const isLate = former?.status === 'action_required' && former.started_at && former.renewal;
  if (!isLate || row.status !== 'active' || !isCalendar(row.renewal?.span)) return row;
  const renewal = { ...row.renewal, from: now, count: 1 };
  return { ...row, anchor: now, renewal, renews_at: spansAfter(now, renewal.span, 1) };
});

/** A version with the fixed prices that the first of several changes in a period brought. */
const atFirstChange = seeing('versions', (version, due, { tables }) => {
  const { id, history } = subscriptionDue(due, { tables } as Loose);
  const since = tables.fee_payments.list('subscription', id).at(-1)?.created_at ?? '';
  const numberIn = ({ products }: Loose) =>
    products.find((product: Loose) => product.id === version.product_id)?.version;
  const changes = history.filter((held: Loose) => held.from > since).map(numberIn);
  const first: Loose = tables.versions.get(key(version.product_id, String(changes[0])));
  if (!first || changes.length < 2) return version;
  const ofType = (prices: Loose[], type: string) => prices.filter((each) => each.type === type);
  const prices = [...ofType(first.prices, 'fixed'), ...ofType(version.prices, 'usage_based')];
  return { ...version, prices };
});

/** Periods of subscriptions and the versions that they bill. */
export const reportedRenewalBugs: readonly Mutant[] = [
  against(
    'A-605, A-1506: every interval, counted from the anchor, whose day is limited by the length of the month',
    'after a renewal on a shortened day renews one month later, whatever the interval count',
    {},
    {
      id: 'renewal: after a renewal on a shortened day renews one month later',
      due: {
        renewal: during(
          keepingActive((row, { at }) => {
            const { span, count, from } = row.renewal ?? {};
            const isShort = at.slice(8, 10) < from?.slice(8, 10);
            if (span?.interval !== 'month' || !isShort) return {};
            const renews_at = spansAfter(from, 'month', (count - 1) * span.interval_count + 1);
            return { renewal: { ...row.renewal, count: count - 1 }, renews_at };
          }),
        ),
      },
    },
  ),
  against(
    'A-606: reactivation with a fixed fee opens a new period; A-605: it renews every interval',
    'never renews a subscription again that was ended and resumed',
    {
      updateSubscription: keepingActive(({ id }, _, { tables }) =>
        tables.subscriptions.get(id)?.status === 'inactive'
          ? { renewal: undefined, renews_at: undefined }
          : {},
      ),
    },
  ),
  against(
    'A-606, A-605: an update takes renews_at, which shows the next renewal',
    'shows a changed renewal date and still renews at the former one',
    {
      updateSubscription(call, context, run) {
        const { renews_at: asked, ...body } = call.body;
        const row: Loose = context.tables.subscriptions.get(call.path.subscriptionId);
        if (typeof asked !== 'string' || row?.status !== 'active' || !row.renewal) return run();
        context.world.dryRun(() => run());
        moved(context).set(row.id, instantOf(new Date(asked)));
        return run({ ...call, body });
      },
      getCustomer: showing(({ subscriptions }, _, context) => ({
        subscriptions: subscriptions.map((each: Loose) => {
          const asked = moved(context).get(each.id) ?? '';
          return each.renews_at && asked > context.now ? { ...each, renews_at: asked } : each;
        }),
      })),
    },
  ),
  against(
    'A-605: its payment reactivates the subscription; the anchor stays',
    'counts the periods from the day on which an overdue fee is paid',
    { createSubscription: fromLatePayment, createCustomer: fromLatePayment },
  ),
  against(
    'A-607: a changed fixed fee is charged from the next renewal',
    'after two changes of version in one period collects the fee of the first change',
    {},
    {
      id: 'renewal: after two changes of version collects the fee of the first',
      due: { renewal: during(atFirstChange) },
    },
  ),
  against(
    'Versioning 2: a version, integer or default, default default; A-502: new customers get the default',
    'subscribes a customer again to the version held before, although the default has moved',
    {
      createSubscription: asking(({ path, body }, { tables, owner }) => {
        const held = tables.subscriptions
          .list('customer', path.customerId)
          .flatMap((row) => row.products);
        for (const product of body.products) {
          if ((product.version ?? 'default') !== 'default') continue;
          const id = product.id ?? tables.products.first('code', key(owner, product.code))?.id;
          const former = held.findLast((each) => each.id === id)?.version;
          const row = tables.versions.get(key(id, String(former)));
          if (row?.status === 'published') product.version = former;
        }
      }),
    },
  ),
  against(
    'A-605: the anchor day stays; Conventions: timestamps are in UTC',
    'calculates renewals on the calendar of a time zone behind UTC',
    { createSubscription: inLocalTime, createCustomer: inLocalTime },
  ),
];
