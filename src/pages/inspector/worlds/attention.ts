import { levelOf } from '../../../resources/warnings.ts';
import { placesFrom } from '../../../store/indexes/sorted-rows.ts';
import type { SubscriptionRow } from '../../../store/records.ts';
import { ALL, type Tables } from '../../../store/schema.ts';
import type { TimeSliced } from '../../../store/time-sliced.ts';
import { quantity } from '../../wording.ts';
import { inStatus } from '../customers/narrow-customers.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { eventState } from '../webhooks/deliveries.tsx';

/** Only the latest webhook events are checked. */
const MAX_EVENTS = 1_000;
const FAILING: ReadonlySet<string> = new Set(['failing', 'given up']);
const MAX_NAMED = 2;
const MAX_OF_WARNING = 160;

/** Prepares the indexes that the counts of the overview need. */
export function* prepareOverview({ subscriptions, wallet_accounts }: Tables): TimeSliced<void> {
  yield* subscriptions.lazy('status', () => {});
  yield* wallet_accounts.lazy('below_zero', () => {});
}

export const ofStatus = (tables: Tables, status: SubscriptionRow['status']): number =>
  inStatus(tables, status)?.length ?? 0;

/** Returns the problems in a world, the worst first, each with a link. */
export function attentionOf(request: InspectorRequest) {
  const { tables } = request.world;
  const events = tables.webhook_events.all('owner').slice(-MAX_EVENTS);
  const warnings = tables.warnings.all('owner').filter(({ kind }) => levelOf(kind) === 'warning');
  const matters = [
    {
      count: events.filter((row) => FAILING.has(eventState(request.world, row))).length,
      words: ['webhook event is not delivered', 'webhook events are not delivered'],
      more: 'The destination did not respond with 2xx.',
      href: request.link('/webhooks', { q: 'state:failing' }),
      tone: 'fail',
    },
    {
      count: tables.wallet_accounts.sorted('below_zero', ALL).length,
      words: ['balance below zero', 'balances below zero'],
      more: lowestBalances(request),
      href: request.link('/customers', { q: 'balance:<0' }),
      tone: 'fail',
    },
    {
      count: ofStatus(tables, 'action_required'),
      words: ['subscription awaits payment', 'subscriptions await payment'],
      more: 'A fixed fee is due and not paid.',
      href: request.link('/customers', { q: 'status:unpaid' }),
      tone: 'warn',
    },
    {
      count: warnings.length,
      words: ['warning', 'warnings'],
      more: (warnings.at(-1)?.message ?? '').slice(0, MAX_OF_WARNING),
      href: request.link('/warnings'),
      tone: 'warn',
    },
  ];
  return matters.filter(({ count }) => count > 0);
}

function lowestBalances(request: InspectorRequest): string {
  const { tables } = request.world;
  const rows = placesFrom(tables.wallet_accounts.sorted('below_zero', ALL), 0, MAX_NAMED);
  const texts = rows.map(({ customer_id, owner, available, asset }) => {
    const name = tables.customers.get(customer_id)?.name ?? customer_id;
    return `${name.slice(0, 60)} ${quantity(request.contextOf(owner), available, asset)}`;
  });
  return texts.join(', ');
}
