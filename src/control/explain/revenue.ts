import { type Decimal, decimal, format, ONE, ratio, ZERO } from '../../domain/decimal.ts';
import type { WorthKind } from '../../domain/grants.ts';
import type { components } from '../../spec/control.d.ts';
import type { FeeRecord, GrantRow, Posting, TransactionRow } from '../../store/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { ExplainContext } from '../context.ts';

type Schemas = components['schemas'];

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
