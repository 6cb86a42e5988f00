import type { Worth } from '../domain/credit-worth.ts';
import { CURRENCY_PLACES, decimal, format, multiply, round } from '../domain/decimal.ts';
import { fixedFee } from '../domain/fixed-fees.ts';
import { valuationPeriod } from '../domain/profitability.ts';
import { key } from './schema.ts';
import type { WorldImage } from './world.ts';

/** A row of release 0.1.0. */
// biome-ignore lint/suspicious/noExplicitAny: no type describes the rows of earlier releases
type FormerRow = any;

/** The revenue data of release 0.1.0 in the terms of this release. */
export interface FormerRevenue {
  /** The revenue of a transaction. */
  countedBy(transaction: FormerRow): string;
  /** The worth of a grant's credit from now on; it never carries a share of a fee. */
  worthOf(grant: FormerRow): Worth | undefined;
}

/** @assumes */
export function formerRevenue(tables: WorldImage['tables'], currency: string): FormerRevenue {
  const rowsById = (name: keyof typeof tables) =>
    new Map<string, FormerRow>((tables[name] ?? []).map((row: FormerRow) => [row?.id, row]));
  const [assets, versions, topUps, transactions] = (
    ['assets', 'versions', 'top_ups', 'transactions'] as const
  ).map(rowsById) as [FormerRow, FormerRow, FormerRow, FormerRow];
  const fees = new Map<string, string>(
    (tables['events'] ?? []).flatMap((event: FormerRow) =>
      // Damage is reported by the validation of what was converted.
      Array.isArray(event?.fees) ? event.fees.map((fee: FormerRow) => [fee?.id, fee?.revenue]) : [],
    ),
  );
  const inReporting = (asset: string, amount: string, { owner, created_at }: FormerRow): string => {
    if (asset === currency) return amount;
    const { schedules = {} } = assets.get(key(owner, asset)) ?? {};
    const rate = valuationPeriod(schedules[currency] ?? [], created_at)?.rate ?? '0';
    return format(round(multiply(decimal(amount), decimal(rate)), CURRENCY_PLACES));
  };
  const paidFor = (grant: FormerRow): string => {
    const { top_up_id } = transactions.get(key(grant.customer_id, grant.transaction_id)) ?? {};
    const topUp = topUps.get(top_up_id);
    return topUp
      ? inReporting(topUp.currency, topUp.amount, grant)
      : inReporting(grant.asset, grant.amount, grant);
  };
  return {
    countedBy: ({ fee_id, revenue }) => revenue ?? fees.get(fee_id) ?? '0',
    worthOf(grant) {
      const { amount, purpose, entitlement, revenue_basis = '0' } = grant;
      if (purpose === 'paid') return { kind: 'paid', amount: paidFor(grant) };
      if (!entitlement) return undefined;
      const version = versions.get(key(entitlement.product_id, String(entitlement.version)));
      if (!version || fixedFee(version.prices)) return undefined;
      const worth = round(multiply(decimal(amount), decimal(revenue_basis)), CURRENCY_PLACES);
      return { kind: 'revenue_basis', amount: format(worth) };
    },
  };
}
