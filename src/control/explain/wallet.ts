import {
  add,
  type Decimal,
  decimal,
  format,
  isPositive,
  ONE,
  ratio,
  subtract,
  sum,
  ZERO,
} from '../../domain/decimal.ts';
import { drawOrder, explainOrder, type WorthKind } from '../../domain/grants.ts';
import type { Instant } from '../../domain/instant.ts';
import { gainOf } from '../../domain/postings.ts';
import type { components } from '../../spec/control.d.ts';
import { rowsOf } from '../../store/query.ts';
import type { FeeRecord, GrantRow, Posting, TransactionRow } from '../../store/records.ts';
import { entitlementKey, type Tables } from '../../store/schema.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { ExplainContext } from '../context.ts';
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

/** What a fee is worth as revenue, draw by draw. @assumes */
export function describeRevenue(
  { world, settings }: ExplainContext,
  fee: FeeRecord,
  transaction: TransactionRow | undefined,
): Schemas['ExplainedRevenue'] {
  const currency = settings.reporting_currency;
  const parts = (transaction?.postings ?? []).map((posting): Schemas['RevenuePart'] => {
    const grant = world.tables.grants.get(posting.grant_id ?? '');
    const { per_unit, reason } = grant
      ? describeCredit(grant, currency)
      : describeDebt(posting, fee.terms.currency, currency);
    return {
      amount: wireNumber(posting.amount),
      ...(grant && { grant_id: grant.id }),
      ...(per_unit && { per_unit: wireNumber(format(per_unit)) }),
      value: wireNumber(posting.revenue ?? '0'),
      reason,
    };
  });
  return { currency, amount: wireNumber(fee.revenue), parts };
}

interface Valued {
  readonly per_unit?: Decimal;
  readonly reason: string;
}

/** Why credit is worth something. */
const ORIGINS: Readonly<Record<WorthKind, string>> = {
  paid: 'it was paid for',
  fee_share: 'it carries a share of a collected fixed fee',
  revenue_basis: 'its entitlement has a revenue basis',
};

function describeCredit({ amount, asset, worth, entitlement }: GrantRow, currency: string): Valued {
  if (worth) {
    const reason = `${ORIGINS[worth.kind]}: ${worth.amount} ${currency} for ${amount} ${asset}`;
    return { per_unit: ratio(decimal(worth.amount), decimal(amount)), reason };
  }
  const reason = entitlement
    ? `credit of the entitlement ${entitlement.name} carries no share of a fixed fee`
    : 'credit that nobody paid for brings in nothing';
  return { per_unit: ZERO, reason };
}

function describeDebt({ valuation }: Posting, asset: string, currency: string): Valued {
  if (asset === currency) return { per_unit: ONE, reason: 'debt counts in full' };
  if (!valuation) return { reason: `${asset} had no rate in ${currency}: it is valued at 0` };
  const { rate, valid_from } = valuation;
  return {
    per_unit: decimal(rate),
    reason: `debt counts in full, at the rate of ${rate} ${currency} from ${valid_from}`,
  };
}
