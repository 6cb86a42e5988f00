import {
  add,
  CURRENCY_PLACES,
  type Decimal,
  decimal,
  format,
  isZero,
  multiply,
  round,
  ZERO,
} from '../../domain/decimal.ts';
import { revenueBasis } from '../../resources/stats/reporting.ts';
import type { components } from '../../spec/control.d.ts';
import type { FeeRecord, GrantRow, TransactionRow } from '../../state/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { ExplainContext } from './fee.ts';

type Schemas = components['schemas'];

/** What a fee is worth as revenue, draw by draw. @assumes */
export function describeRevenue(
  { world, settings }: ExplainContext,
  fee: FeeRecord,
  transaction: TransactionRow | undefined,
): Schemas['ExplainedRevenue'] {
  const currency = settings.reporting_currency;
  const parts: Schemas['RevenuePart'][] = [];
  let full = ZERO;
  for (const { amount, grant_id } of transaction?.postings ?? []) {
    const grant = world.tables.grants.get(grant_id ?? '');
    const basis = grant && revenueBasis(grant);
    if (grant && basis) parts.push(describeBasis(grant, amount, basis));
    else full = add(full, decimal(amount));
  }
  if (!isZero(full)) parts.push(describeFull(fee, currency, full));
  return { currency, amount: wireNumber(fee.revenue), parts };
}

function describeBasis(grant: GrantRow, amount: string, basis: Decimal): Schemas['RevenuePart'] {
  const worth = `${format(basis)} for each unit`;
  return {
    amount: wireNumber(amount),
    grant_id: grant.id,
    per_unit: wireNumber(format(basis)),
    value: wireNumber(format(round(multiply(decimal(amount), basis), CURRENCY_PLACES))),
    reason: grant.entitlement
      ? `credit of the entitlement ${grant.entitlement.name} brings in its revenue basis, ${worth}`
      : 'a gift brings in nothing',
  };
}

function describeFull(
  { currency: asset, valuation }: FeeRecord,
  currency: string,
  amount: Decimal,
): Schemas['RevenuePart'] {
  const part = { amount: wireNumber(format(amount)) };
  if (asset === currency)
    return {
      ...part,
      per_unit: 1,
      value: part.amount,
      reason: 'paid credit and debt count in full',
    };
  if (!valuation)
    return { ...part, value: 0, reason: `${asset} had no rate in ${currency}: it is valued at 0` };
  const value = round(multiply(amount, decimal(valuation.rate)), CURRENCY_PLACES);
  const { rate, valid_from } = valuation;
  return {
    ...part,
    per_unit: wireNumber(rate),
    value: wireNumber(format(value)),
    reason: `paid credit and debt count in full, at the rate of ${rate} ${currency} from ${valid_from}`,
  };
}
