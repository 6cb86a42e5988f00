import type { Exchange } from '../../../http/log/exchange.ts';
import { singularOf } from '../../../store/record-changes.ts';
import type {
  EventRow,
  FeePaymentRow,
  FeeRecord,
  GrantRow,
  Posting,
  SubscriptionRow,
  TopUpRow,
  TransactionRow,
  WebhookEventRow,
} from '../../../store/records.ts';
import { mergeChanges, type Row } from '../../../store/row.ts';
import { uuidKey } from '../../../store/schema.ts';
import { Amount, usedText } from '../../amount.tsx';
import { methodText, TopUpState } from '../../hosted/payment-state.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { dayText, fieldWord } from '../../wording.ts';
import { recordAddress } from '../find/records.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { AccountName, recordTitle } from '../links.tsx';
import { amountsOf, isAside, isListed } from './effect.tsx';
import { type TraceNode, webhookEventNode } from './trace-node.tsx';

/** A row before and after a request. A new row has no `before`. */
interface Changed<R> {
  readonly before: R | undefined;
  readonly after: R;
}

/** Returns the rows of a table that a request added or changed. */
const changedRows = <R extends Row>({ changes }: Exchange, table: string) =>
  mergeChanges(changes).filter(
    (change) => change.table === table && change.after !== undefined && !isAside(change),
  ) as unknown as readonly Changed<R>[];

/** Derives the effects of a request from the rows that it changed. Each row is shown once, below its direct cause. */
export class Tracer {
  readonly #drawn = new Set<string>();

  constructor(
    private readonly request: InspectorRequest,
    private readonly exchange: Exchange,
  ) {}

  /** What to say of the rows of each table beside their names, and what they caused; causes first. */
  readonly #parts: Readonly<Record<string, (change: Changed<never>) => Parts>> = {
    customers: () => ({}),
    subscriptions: (change) => this.#subscription(change),
    top_ups: ({ after }) => this.#topUp(after),
    events: ({ after }) => this.#event(after),
    fee_payments: ({ after }: Changed<FeePaymentRow>) => ({
      more: [methodText(after.payment_method)],
    }),
    transactions: ({ after }) => this.#transaction(after),
    grants: ({ after }) => this.#grant(after),
  };

  /** Returns the tree of effects. Causes take their effects with them; the other rows are at the top level. */
  effects(): readonly TraceNode[] {
    const told = mergeChanges(this.exchange.changes).filter(isListed);
    const tables = new Set([...Object.keys(this.#parts), ...told.map(({ table }) => table)]);
    tables.delete('webhook_events');
    const webhookEvents = changedRows<WebhookEventRow>(this.exchange, 'webhook_events');
    return [
      ...[...tables].flatMap((table) => this.#nodes(table)),
      ...webhookEvents.map(({ after }) => webhookEventNode(this.request, after)),
    ];
  }

  /** Returns the nodes of a table's changes that match and are not shown yet. */
  #nodes<R extends Row>(table: string, fits: (row: R) => boolean = () => true): TraceNode[] {
    return changedRows<R>(this.exchange, table).flatMap((change) => {
      const name = `${table} ${change.after.id}`;
      if (this.#drawn.has(name) || !fits(change.after)) return [];
      this.#drawn.add(name);
      const parts = this.#parts[table]?.(change as Changed<never>);
      return [this.#node(table, change.after, parts)];
    });
  }

  /** A record by its kind and its amount or name, with a link to its page. */
  #node(table: string, row: Row, parts: Partial<TraceNode> = {}): TraceNode {
    const [amount] = table === 'events' ? [] : amountsOf(table, row);
    return {
      kind: fieldWord(singularOf(table)),
      what: amount ? (
        <Amount {...amount} />
      ) : (
        <Words text={recordTitle(this.request.world.tables, table, row)} />
      ),
      href: recordAddress(this.request, table, row),
      ...parts,
    };
  }

  #subscription({ before, after }: Changed<SubscriptionRow>): Parts {
    const { id, status, renews_at } = after;
    const word = (text: string) => text.replaceAll('_', ' ');
    return {
      more: [
        before && before.status !== status
          ? `${word(before.status)} → ${word(status)}`
          : word(status),
        renews_at !== undefined && <Time before="renews " at={renews_at} />,
      ],
      effects: [
        ...this.#nodes<FeePaymentRow>('fee_payments', (fee) => fee.subscription_id === id),
        ...this.#nodes<GrantRow>('grants', (grant) => grant.entitlement?.subscription_id === id),
      ],
    };
  }

  #topUp(row: TopUpRow): Parts {
    const { tables } = this.request.world;
    return {
      more: [<TopUpState topUp={tables.top_ups.get(row.id) ?? row} />],
      effects: this.#nodes<TransactionRow>('transactions', (each) => each.top_up_id === row.id),
    };
  }

  #event(row: EventRow): Parts {
    return {
      more: [
        row.subject !== undefined && <Words text={row.subject} />,
        <Time as="exact" at={row.occurred_at} />,
        row.fees.length === 0 && 'no fee',
      ],
      effects: row.fees.map((fee) => this.#fee(row, fee)),
    };
  }

  #fee(event: EventRow, fee: FeeRecord): TraceNode {
    const { owner } = event;
    const { price_name, currency } = fee.terms;
    const paidBy = uuidKey(event.customer_id, fee.transaction_id ?? '');
    return this.#node('events', event, {
      kind: 'Fee',
      what: <Amount owner={owner} amount={fee.amount} asset={currency} />,
      more: [<Words text={price_name} />, usedText(fee)],
      effects: this.#nodes<TransactionRow>('transactions', (row) => row.id === paidBy),
    });
  }

  #transaction(row: TransactionRow): Parts {
    const { owner, asset, account_id, balance_after, postings } = row;
    return {
      more: [
        <>
          account <AccountName id={account_id} asset={asset} />
        </>,
        <>
          balance <Amount owner={owner} amount={balance_after} asset={asset} />
        </>,
      ],
      effects: postings.flatMap((posting) => this.#posted(row, posting)),
    };
  }

  /** Returns the grant that a posting created or drew from. Several postings can draw from the same grant. */
  #posted({ owner, asset }: TransactionRow, { grant_id, amount, from }: Posting): TraceNode[] {
    const row = grant_id === undefined ? undefined : this.request.world.tables.grants.get(grant_id);
    if (!row) return [];
    this.#drawn.add(`grants ${row.id}`);
    const drawn = from === 'wallet' && {
      kind: 'Drawn from grant',
      what: <Amount owner={owner} amount={amount} asset={asset} />,
    };
    return [this.#node('grants', row, { ...this.#grant(row), ...drawn })];
  }

  #grant({ purpose, expires_at }: GrantRow): Parts {
    const end = expires_at === null ? 'never expires' : `until ${dayText(expires_at)}`;
    return { more: [purpose, end] };
  }
}

/** What a node says beside the name of its record. */
type Parts = Pick<TraceNode, 'more' | 'effects'>;
