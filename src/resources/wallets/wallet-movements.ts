import {
  compare,
  type Decimal,
  decimal,
  format,
  isNegative,
  negate,
  ONE,
  ZERO,
} from '../../domain/decimal.ts';
import { omitNullish } from '../../domain/fields.ts';
import { instant } from '../../domain/instant.ts';
import { amountOf, type Term } from '../../domain/pricing/price-breakdown.ts';
import { isTooPrecise } from '../../domain/pricing/price-rules.ts';
import { type Finding, finding, findingIf, throwIfInvalid, violate } from '../../domain/rules.ts';
import type { Call } from '../../spec/operations.ts';
import { contentDigest } from '../../store/ids.ts';
import type { CustomerRow, GrantRow, GrantWorth, TransactionRow } from '../../store/records.ts';
import { key, uuidKey } from '../../store/schema.ts';
import { findAsset, type KnownAsset } from '../assets/asset-lookup.ts';
import type { Context, Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { reportingValue } from '../revenue/revenue.ts';
import { openAccount } from '../wallet-accounts.ts';
import { noteIgnored } from '../warnings.ts';
import { credit, debit, endOfGrant, findPending, putOffCredit } from './ledger.ts';

export const adjustWallet: Handler<'adjustWallet'> = ({ path, body }, context) => {
  const customer =
    findCustomer(context, path.customerId) ?? violate('customer.unknown', 'customerId');
  const content = contentOf('adjustment', body);
  const earlier = findRetry(context, customer, body.transaction_id, content);
  if (earlier) return { status: 201, body: presentReceipt(earlier) };

  const asset = findAsset(context, body.asset);
  const amount = decimal(body.amount);
  throwIfInvalid(validateAdjustment(context, customer, body, asset));
  const account = openAccount(context, customer, body.asset, body.account_name ?? undefined);
  const notes = { ...notesOf(body), source: 'adjustment', reason: body.reason, content } as const;
  const counterpart = body.reason === 'gift' ? 'promotions' : 'external';
  if (isNegative(amount)) {
    if (body.expires_at)
      noteIgnored(context, 'adjustWallet', 'expires_at', 'a negative amount does not expire.');
    const open = [...context.tables.grants.sorted('open', account.id)];
    const grants = body.reason === 'external_refund' ? paidFirst(open) : open;
    const taken = { ...notes, amount: negate(amount), to: counterpart, grants } as const;
    return { status: 201, body: presentReceipt(debit(context, account, taken)) };
  }
  const effective_at = body.effective_at ? instant(body.effective_at) : context.now;
  const purpose = body.reason === 'gift' ? 'promotion' : 'paid';
  const given = {
    ...notes,
    amount,
    from: counterpart,
    purpose,
    worth: worthOfAdjustment(context, body),
    effective_at,
    expires_at: endOfGrant(context, purpose, effective_at, body.expires_at),
  } as const;
  const made =
    effective_at > context.now
      ? putOffCredit(context, account, given)
      : credit(context, account, given).transaction;
  return { status: 201, body: presentReceipt(made) };
};

export const chargeWallet: Handler<'chargeWallet'> = ({ path, body }, context) => {
  const customer =
    findCustomer(context, path.customerId) ?? violate('customer.unknown', 'customerId');
  const content = contentOf('charge', body);
  const earlier = findRetry(context, customer, body.transaction_id, content);
  if (earlier) return { status: 201, body: {} };

  const asset = findAsset(context, body.asset);
  throwIfInvalid(validateCharge(context, customer, body, asset));
  const account = openAccount(context, customer, body.asset, body.account_name ?? undefined);
  const notes = { ...notesOf(body), source: 'charge', content } as const;
  debit(context, account, { ...notes, amount: decimal(body.amount), to: 'revenue' });
  return { status: 201, body: {} };
};

/** Sorts grants with paid credit first, as refunds draw them. @assumes A-703 */
function paidFirst(grants: readonly GrantRow[]): readonly GrantRow[] {
  const rank = ({ purpose }: GrantRow) => (purpose === 'paid' ? 0 : 1);
  return grants.toSorted((left, right) => rank(left) - rank(right));
}

/** The worth of an adjustment's credit: external payments at the current rate; otherwise none. @assumes A-902 */
function worthOfAdjustment(
  context: Context,
  { asset, amount, reason }: Adjustment,
): GrantWorth | undefined {
  if (reason !== 'external_topup' && reason !== 'external_refund') return undefined;
  const paid = reportingValue(context, asset, decimal(amount), context.now);
  return { kind: 'paid', amount: format(paid) };
}

type Adjustment = Call<'adjustWallet'>['body'];
type Charge = Call<'chargeWallet'>['body'];

/**
 * Returns the earlier transaction that a request repeats; undefined if it repeats none.
 *
 * @throws RuleViolation `transaction.reused` when the id was used with other content
 * @assumes A-707
 */
function findRetry(
  context: Context,
  customer: CustomerRow,
  transactionId: string,
  content: string,
): Receipt | undefined {
  const { id } = customer;
  const pending = findPending(context, id, transactionId);
  const earlier = pending ?? context.tables.transactions.get(uuidKey(id, transactionId));
  const said = pending
    ? pending.pending?.content
    : (earlier as TransactionRow | undefined)?.content;
  if (earlier && said !== content) violate('transaction.reused', 'transaction_id');
  return earlier;
}

/** A digest of a request. It does not depend on field order, spelling, nulls and defaults. @assumes A-707 */
function contentOf(type: string, { account_name, ...body }: Adjustment | Charge): string {
  const transaction_id = body.transaction_id.toLowerCase();
  const said = Object.entries({ ...body, transaction_id, account_name: account_name ?? 'default' })
    .map(([name, value]) => [name, plainValue(name, value)])
    .filter(([, value]) => value !== undefined);
  return contentDigest(JSON.stringify([type, said.sort()]));
}

/** A normalised value: equal for values with the same meaning; undefined for empty values and defaults. */
function plainValue(name: string, value: unknown): unknown {
  if (value instanceof Object) {
    const entries = Object.entries(value).sort();
    return entries.length > 0 ? entries : undefined;
  }
  if (value === ONE_BY_DEFAULT[name]) return undefined;
  return typeof value === 'string' && name.endsWith('_at') ? instant(value) : (value ?? undefined);
}

const ONE_BY_DEFAULT: Readonly<Record<string, number>> = { input_units: 1, package_size: 1 };

function validateAdjustment(
  context: Context,
  customer: CustomerRow,
  body: Adjustment,
  asset: KnownAsset | undefined,
): Finding[] {
  const amount = decimal(body.amount);
  const end = !isNegative(amount) && body.expires_at && instant(body.expires_at);
  const begin = body.effective_at && instant(body.effective_at);
  return [
    ...validateAmount(context, customer, body, asset, negate(amount)),
    ...findingIf(asset && isTooPrecise(amount, asset), 'amount.too_precise', 'amount'),
    ...findingIf(end && end <= context.now, 'expiry.in_past', 'expires_at'),
    ...findingIf(begin && isNegative(amount), 'effective.needs_credit', 'effective_at'),
    ...findingIf(begin && end && end <= begin, 'expiry.before_effect', 'expires_at'),
  ];
}

function validateCharge(
  context: Context,
  customer: CustomerRow,
  body: Charge,
  asset: KnownAsset | undefined,
): Finding[] {
  const amount = decimal(body.amount);
  const calculated = calculatedAmount(body, asset?.places ?? 0);
  const isCut = asset && isTooPrecise(amount, asset);
  const isOther = calculated && compare(calculated, amount) !== 0;
  return [
    ...validateAmount(context, customer, body, asset, amount),
    ...fieldsLacking(body).map((field) => finding('charge.field_missing', field)),
    ...findingIf(isCut, 'amount.too_precise', 'amount'),
    ...findingIf(isOther && !isCut, 'amount.ambiguous', 'amount'),
  ];
}

const NEEDED_FIELDS = [
  ['input_units', 'unit_price'],
  ['input_volume', 'volume_rate'],
  ['volume_rate', 'input_volume'],
  ['package_size', 'input_volume'],
] as const;

/** Returns the fields without which others of the charge mean nothing. @assumes A-708 */
function fieldsLacking(body: Charge): string[] {
  const isGiven = (field: keyof Charge) => typeof body[field] === 'number';
  const pairs = NEEDED_FIELDS.filter(([field, needed]) => isGiven(field) && !isGiven(needed));
  return [...new Set(pairs.map(([, needed]) => needed))];
}

/** Checks a movement that takes `taken` from an account. @assumes A-703 */
function validateAmount(
  { tables, settings }: Context,
  customer: CustomerRow,
  body: Adjustment | Charge,
  asset: KnownAsset | undefined,
  taken: Decimal,
): Finding[] {
  if (!asset) return [finding('asset.unknown', 'asset')];
  if (settings.overdraft === 'allow') return [];
  const id = key(customer.id, `${body.account_name ?? 'default'}:${body.asset}`);
  const available = decimal(tables.wallet_accounts.get(id)?.available ?? '0');
  const goesBelow = compare(taken, ZERO) > 0 && compare(taken, available) > 0;
  return findingIf(goesBelow, 'balance.insufficient', 'amount');
}

/**
 * The amount that the parts of a charge give. Undefined without them.
 *
 * @units   the asset's, rounded once to `places`
 * @assumes A-708
 */
function calculatedAmount(body: Charge, places: number): Decimal | undefined {
  const { unit_price, input_units, input_volume, volume_rate, package_size } = body;
  const hasUnits = typeof unit_price === 'number';
  const hasVolume = typeof input_volume === 'number' && typeof volume_rate === 'number';
  if (!hasUnits && !hasVolume) return undefined;
  const size = decimal(package_size ?? 1);
  const terms: Term[] = [];
  if (hasUnits) {
    const quantity = decimal(input_units ?? 1);
    terms.push({ counts: 'unit', quantity, rate: decimal(unit_price), size: ONE });
  }
  if (hasVolume) {
    const quantity = decimal(input_volume);
    terms.push({ counts: 'volume', quantity, rate: decimal(volume_rate), size });
  }
  return amountOf({ terms }, places);
}

function notesOf(body: Adjustment | Charge) {
  const { transaction_id, description, metadata } = body;
  const subject = 'subject' in body ? body.subject : undefined;
  return { transaction_id, ...omitNullish({ subject, description, metadata }) };
}

/** A transaction, or its pending credit. */
type Receipt = Pick<TransactionRow, 'transaction_id' | 'created_at' | 'requested_at'>;

function presentReceipt({ transaction_id, created_at, requested_at = created_at }: Receipt) {
  return { id: transaction_id, created_at: requested_at };
}
