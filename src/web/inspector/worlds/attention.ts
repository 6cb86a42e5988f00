import type { SubscriptionRow } from '../../../state/records.ts';
import type { Resumable } from '../../../state/resumable.ts';
import { ALL, type Tables } from '../../../state/schema.ts';
import { placesFrom } from '../../../state/sorted-rows.ts';
import { quantity } from '../../wording.ts';
import { inStatus } from '../customers/narrow-customers.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { rowsOf } from '../rows.ts';
import { stateOf } from '../webhooks/deliveries.tsx';

/** Something that a person should look at. */
export interface AttentionItem {
  readonly text: string;
  readonly more: string;
  readonly href: string;
  readonly tone: 'warn' | 'fail';
}

/** The latest webhook events alone are looked through. */
const MOST_EVENTS = 1_000;
const MOST_NAMED = 2;

/** Sees to it that what the overview counts is counted without a walk. */
export function* prepareOverview({ subscriptions, wallet_accounts }: Tables): Resumable<void> {
  yield* subscriptions.prepared('status', () => {});
  yield* wallet_accounts.prepared('below_zero', () => {});
}

/** How many subscriptions are in a state. */
export const ofStatus = (tables: Tables, status: SubscriptionRow['status']): number =>
  inStatus(tables, status)?.length ?? 0;

/** What deserves a look, the worst first, each with where to look. */
export function attentionOf(request: InspectorRequest): readonly AttentionItem[] {
  return [...failing(request), ...negative(request), ...unpaid(request), ...warned(request)];
}

function failing(request: InspectorRequest): AttentionItem[] {
  const events = rowsOf(request, request.world.tables.webhook_events).slice(-MOST_EVENTS);
  const count = events.filter((row) => stateOf(row) === 'failing').length;
  const href = request.link('/webhooks', { q: 'state:failing' });
  const more = 'Their destination did not answer, or not with 2xx.';
  return item(
    count,
    'webhook event keeps failing',
    'webhook events keep failing',
    more,
    href,
    'fail',
  );
}

function negative(request: InspectorRequest): AttentionItem[] {
  const { tables } = request.world;
  const rows = tables.wallet_accounts.sorted('below_zero', ALL);
  const first = placesFrom(rows, 0, MOST_NAMED);
  const named = first.map(({ customer_id, owner, available, asset }) => {
    const name = tables.customers.get(customer_id)?.name ?? customer_id;
    return `${name.slice(0, 60)} ${quantity(request.contextOf(owner), available, asset)}`;
  });
  const href = request.link('/customers', { q: 'balance:<0' });
  return item(
    rows.length,
    'balance below zero',
    'balances below zero',
    named.join(', '),
    href,
    'fail',
  );
}

function unpaid(request: InspectorRequest): AttentionItem[] {
  const href = request.link('/customers', { q: 'status:unpaid' });
  const more = 'A fixed fee is asked for and not paid.';
  return item(
    ofStatus(request.world.tables, 'action_required'),
    'subscription waits for payment',
    'subscriptions wait for payment',
    more,
    href,
    'warn',
  );
}

function warned(request: InspectorRequest): AttentionItem[] {
  const rows = rowsOf(request, request.world.tables.warnings);
  const more = (rows.at(-1)?.message ?? '').slice(0, 160);
  return item(rows.length, 'warning', 'warnings', more, request.link('/warnings'), 'warn');
}

function item(
  count: number,
  one: string,
  many: string,
  more: string,
  href: string,
  tone: AttentionItem['tone'],
): AttentionItem[] {
  if (count === 0) return [];
  return [{ text: `${count.toLocaleString('en')} ${count === 1 ? one : many}`, more, href, tone }];
}
