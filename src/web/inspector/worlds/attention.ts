import type { SubscriptionRow } from '../../../state/records.ts';
import type { Resumable } from '../../../state/resumable.ts';
import { ALL, type Tables } from '../../../state/schema.ts';
import { placesFrom } from '../../../state/sorted-rows.ts';
import { quantity } from '../../wording.ts';
import { inStatus } from '../customers/narrow-customers.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { stateOf } from '../webhooks/deliveries.tsx';

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

/** So many of something, in words for one and for several, and where they are listed. */
interface Matter {
  readonly count: number;
  readonly words: readonly [one: string, many: string];
  readonly more: string;
  readonly path: string;
  readonly q?: string;
  readonly tone: 'warn' | 'fail';
}

/** What deserves a look, the worst first, each with where to look. */
export function attentionOf(request: InspectorRequest) {
  return [failing, negative, unpaid, warned]
    .map((look) => look(request))
    .filter(({ count }) => count > 0)
    .map(({ count, words, more, path, q, tone }) => ({
      text: `${count.toLocaleString('en')} ${words[count === 1 ? 0 : 1]}`,
      ...{ more, tone },
      href: request.link(path, { q }),
    }));
}

function failing(request: InspectorRequest): Matter {
  const events = request.world.tables.webhook_events.all('owner').slice(-MOST_EVENTS);
  return {
    count: events.filter((row) => stateOf(row) === 'failing').length,
    words: ['webhook event keeps failing', 'webhook events keep failing'],
    more: 'The destination did not respond, or not with 2xx.',
    ...{ path: '/webhooks', q: 'state:failing', tone: 'fail' },
  };
}

function negative(request: InspectorRequest): Matter {
  const { tables } = request.world;
  const rows = tables.wallet_accounts.sorted('below_zero', ALL);
  const named = placesFrom(rows, 0, MOST_NAMED).map(({ customer_id, owner, available, asset }) => {
    const name = tables.customers.get(customer_id)?.name ?? customer_id;
    return `${name.slice(0, 60)} ${quantity(request.contextOf(owner), available, asset)}`;
  });
  return {
    count: rows.length,
    words: ['balance below zero', 'balances below zero'],
    more: named.join(', '),
    ...{ path: '/customers', q: 'balance:<0', tone: 'fail' },
  };
}

const unpaid = ({ world }: InspectorRequest): Matter => ({
  count: ofStatus(world.tables, 'action_required'),
  words: ['subscription awaits payment', 'subscriptions await payment'],
  more: 'A fixed fee is due and not paid.',
  ...{ path: '/customers', q: 'status:unpaid', tone: 'warn' },
});

function warned(request: InspectorRequest): Matter {
  const rows = request.world.tables.warnings.all('owner');
  const more = (rows.at(-1)?.message ?? '').slice(0, 160);
  return {
    count: rows.length,
    words: ['warning', 'warnings'],
    more,
    path: '/warnings',
    tone: 'warn',
  };
}
