import { revenueOfDraw } from '../domain/credit-worth.ts';
import {
  CURRENCY_PLACES,
  type Decimal,
  decimal,
  format,
  multiply,
  round,
  subtract,
} from '../domain/decimal.ts';
import { type Breach, expected } from './ledger-laws.ts';
import type { GrantRow, Posting, TransactionRow } from './records.ts';
import type { Resumable } from './resumable.ts';
import type { Tables } from './schema.ts';

/**
 * Replays what every grant had left, and judges what each draw and each debt counted as revenue.
 *
 * @units   the reporting currency
 * @assumes
 */
export function* verifyRevenue(tables: Tables): Resumable<Breach[]> {
  const left = new Map<string, Decimal>();
  const breaches: Breach[] = [];
  for (const transaction of [...tables.transactions.values()].sort((a, b) => a.seq - b.seq)) {
    yield;
    breaches.push(...judgeDebt(transaction));
    for (const posting of transaction.postings) {
      const grant = tables.grants.get(posting.grant_id ?? '');
      if (!grant || posting.from !== 'wallet') continue;
      const before = left.get(grant.id) ?? givenOf(grant);
      breaches.push(...judgeDraw(grant, before, posting));
      left.set(grant.id, subtract(before, decimal(posting.amount)));
    }
  }
  return breaches;
}

/** Whether debt that usage or a charge made counts in full, at the rate that it names, and other debt nothing. */
export function judgeDebt({ transaction_id: id, customer_id, postings }: TransactionRow): Breach[] {
  return postings
    .filter(({ from, grant_id, revenue }) => from === 'wallet' && !grant_id && revenue)
    .flatMap(({ to, amount, revenue, valuation }) => {
      const value = multiply(decimal(amount), decimal(valuation?.rate ?? '1'));
      const due = to === 'revenue' ? format(round(value, CURRENCY_PLACES)) : '0';
      return judge(due, revenue, { id, customer_id });
    });
}

/** Whether a posting counts what it takes from a grant that had `before` left. @assumes */
export function judgeDraw(
  { id, customer_id, ...grant }: GrantRow,
  before: Decimal,
  { amount, to, revenue }: Posting,
): Breach[] {
  const due = revenueOfDraw(grant, before, subtract(before, decimal(amount)), to);
  return judge(format(due), revenue, { id, customer_id });
}

/** What a grant had left when it was given. */
export const givenOf = ({ amount, repaid }: GrantRow): Decimal =>
  subtract(decimal(amount), decimal(repaid));

function judge(
  due: string,
  counted: string | undefined,
  place: { readonly id: string; readonly customer_id: string },
): Breach[] {
  if (due === (counted ?? '0')) return [];
  return [{ law: 'draw_valued', ...place, message: expected(due, counted ?? 'nothing') }];
}
