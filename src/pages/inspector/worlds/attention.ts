import { levelOf } from '../../../resources/warnings.ts';
import { ask, select } from '../../../store/query/ask.ts';
import type { SubscriptionRow, WalletAccountRow } from '../../../store/records.ts';
import type { Tables } from '../../../store/schema.ts';
import { quantity } from '../../wording.ts';
import { BELOW_ZERO } from '../customers/narrow-customers.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { eventState } from '../webhooks/deliveries.tsx';

/** Only the latest webhook events are checked. */
const MAX_EVENTS = 1_000;
const FAILING: ReadonlySet<string> = new Set(['failing', 'given up']);
const MAX_NAMED = 2;
const MAX_OF_WARNING = 160;

/** What the overview counts: it is found before the page is written. */
export interface Overview {
  readonly active: number;
  readonly unpaid: number;
  readonly belowZero: readonly WalletAccountRow[];
}

export async function findOverview({ subscriptions, wallet_accounts }: Tables): Promise<Overview> {
  const count = (status: SubscriptionRow['status']) =>
    ask(subscriptions, { where: { status } }, ({ length }) => length);
  return {
    active: await count('active'),
    unpaid: await count('action_required'),
    belowZero: await select(wallet_accounts, BELOW_ZERO, (rows) => rows),
  };
}

/** Returns the problems in a world, the worst first, each with a link. */
export function attentionOf(request: InspectorRequest, { unpaid, belowZero }: Overview) {
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
      count: belowZero.length,
      words: ['balance below zero', 'balances below zero'],
      more: lowestBalances(request, belowZero),
      href: request.link('/customers', { q: 'balance:<0' }),
      tone: 'fail',
    },
    {
      count: unpaid,
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

function lowestBalances(request: InspectorRequest, rows: readonly WalletAccountRow[]): string {
  const { tables } = request.world;
  const texts = rows.slice(0, MAX_NAMED).map(({ customer_id, owner, available, asset }) => {
    const name = tables.customers.get(customer_id)?.name ?? customer_id;
    return `${name.slice(0, 60)} ${quantity(request.contextOf(owner), available, asset)}`;
  });
  return texts.join(', ');
}
