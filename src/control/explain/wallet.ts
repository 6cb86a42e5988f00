import {
  add,
  type Decimal,
  decimal,
  format,
  isPositive,
  subtract,
  sum,
} from '../../domain/decimal.ts';
import { drawOrder, explainOrder } from '../../domain/grants.ts';
import type { Instant } from '../../domain/instant.ts';
import { gainOf } from '../../domain/postings.ts';
import type { components } from '../../spec/control.d.ts';
import { rowsOf } from '../../store/query.ts';
import type { GrantRow, Posting, TransactionRow } from '../../store/records.ts';
import { entitlementKey, type Tables } from '../../store/schema.ts';
import { wireNumber } from '../../text/exact-json.ts';
import { presentPosting } from '../ledger.ts';

type Schemas = components['schemas'];

/** A grant as it was at an earlier moment. */
interface Credit {
  readonly grant: GrantRow;
  readonly expires_at: Instant | null;
  readonly left: Decimal;
}

/** What paid a fee: which grants in which order, and why; what was left of them, and what became debt. */
export function describeWallet(
  tables: Tables,
  transaction: TransactionRow,
): Schemas['ExplainedWallet'] {
  const { transaction_id, account_id, balance_after, postings } = transaction;
  const credit = creditBefore(tables, transaction);
  const drawn = new Map(postings.map((posting) => [posting.grant_id, posting]));
  const debt = postings.filter(({ grant_id }) => grant_id === undefined);
  return {
    transaction_id,
    account_id,
    balance_before: wireNumber(format(subtract(decimal(balance_after), gainOf(transaction)))),
    balance_after: wireNumber(balance_after),
    draws: credit.flatMap((each, turn) => {
      const posting = drawn.get(each.grant.id);
      return posting ? [describeDraw(each, posting, reasonOf(credit, turn))] : [];
    }),
    debt: wireNumber(format(sum(debt.map((posting) => decimal(posting.amount))))),
    postings: postings.map(presentPosting),
  };
}

/** The grants that had something left before a transaction, in draw-down order, by replay of the postings. */
function creditBefore(tables: Tables, transaction: TransactionRow): Credit[] {
  const credit = new Map<string, Credit>();
  for (const earlier of rowsOf(tables.transactions, { customer_id: transaction.customer_id })) {
    if (earlier.seq >= transaction.seq) break;
    if (earlier.account_id !== transaction.account_id) continue;
    for (const posting of earlier.postings) replay(tables, credit, posting);
  }
  return [...credit.values()]
    .filter(({ left }) => isPositive(left))
    .sort((one, other) => compareOrder(one, other) || one.grant.seq - other.grant.seq);
}

function replay(tables: Tables, credit: Map<string, Credit>, posting: Posting): void {
  const { from, amount, grant_id, expires_at = null } = posting;
  if (grant_id === undefined) return;
  const known = credit.get(grant_id);
  const grant = known?.grant ?? (tables.grants.get(grant_id) as GrantRow);
  if (from !== 'wallet') {
    const left = subtract(decimal(amount), decimal(grant.repaid));
    for (const [id, each] of credit)
      if (isMovedBy(grant, each)) credit.set(id, { ...each, expires_at });
    credit.set(grant_id, { grant, expires_at, left });
  } else if (known) {
    credit.set(grant_id, { ...known, left: add(known.left, decimal(`-${amount}`)) });
  }
}

/** Whether credit that rolls over moves the end of what is left of earlier credit. @assumes A-1509 */
function isMovedBy(given: GrantRow, { grant, left }: Credit): boolean {
  if (!given.rolls_over || !grant.rolls_over || !isPositive(left)) return false;
  const [own, next] = [grant, given].map(
    (row) => row.entitlement && entitlementKey(row.entitlement, row.asset),
  );
  return own === next;
}

function compareOrder(one: Credit, other: Credit): number {
  const [left, right] = [one, other].map((each) => drawOrder(turnOf(each)));
  return left === right ? 0 : (left ?? '') < (right ?? '') ? -1 : 1;
}

function turnOf({ grant, expires_at }: Credit) {
  const { priority, purpose, effective_at } = grant;
  return { priority, purpose, expires_at, effective_at };
}

function reasonOf(credit: readonly Credit[], turn: number): string {
  const [own, next] = [credit[turn], credit[turn + 1]];
  if (own && next) return explainOrder(turnOf(own), turnOf(next));
  return credit.length === 1 ? 'it was the only credit' : 'it was the last credit left';
}

function describeDraw(
  { grant, expires_at, left }: Credit,
  { amount }: Posting,
  reason: string,
): Schemas['ExplainedDraw'] {
  const { id, purpose, source, created_at } = grant;
  return {
    grant_id: id,
    purpose,
    source,
    given_at: created_at,
    expires_at,
    available: wireNumber(format(left)),
    amount: wireNumber(amount),
    left: wireNumber(format(subtract(left, decimal(amount)))),
    reason,
  };
}
