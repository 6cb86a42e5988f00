import { findCurrency } from '../../domain/currencies.ts';
import { type Decimal, decimal, decimalPlaces, format, isZero, ONE } from '../../domain/decimal.ts';
import { given } from '../../domain/given.ts';
import { after, type Instant, instant } from '../../domain/instant.ts';
import { periodAt, quote, type Rate, readRate } from '../../domain/rates.ts';
import { type Finding, finding, refuseAll } from '../../domain/rules.ts';
import type { Call } from '../../spec/operations.ts';
import type { TopUpRow } from '../../state/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import { findAsset, type KnownAsset } from '../assets/asset-lookup.ts';
import type { Context, Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { newRecord } from '../new-record.ts';
import { notFound } from '../problems.ts';
import { checkoutUrl } from '../subscriptions/present-subscription.ts';
import { DEFAULT_ACCOUNT_NAME, openAccount } from '../wallets/ledger.ts';

export const createTopUp: Handler<'createTopUp'> = ({ body }, context) => {
  return { status: 201, body: presentOrderedTopUp(initiateTopUp(context, body), context.baseUrl) };
};

/**
 * Starts a top-up that waits for its payment.
 *
 * @throws  RuleViolation with everything that is wrong with it
 * @assumes A-1101, A-1102, A-1108
 */
export function initiateTopUp(context: Context, body: TopUpRequest): TopUpRow {
  const { tables, world, owner, now, settings } = context;
  const purchase = priceCredit(context, body);
  refuseAll([...judgeTopUp(context, body), ...purchase.findings]);

  const token = world.nextToken('top-up link', owner);
  const expires_at = after(now, settings.top_up_link_lifetime);
  const topUp = tables.top_ups.put({
    ...newRecord(context, 'top_up'),
    customer_id: body.customer_id,
    amount: format(decimal(body.amount)),
    currency: body.currency,
    status: 'initiated',
    account_name: body.destination?.account_name ?? DEFAULT_ACCOUNT_NAME,
    asset: purchase.asset,
    exchange_rate: purchase.rate.rate,
    credit: format(purchase.credit),
    ...(body.credit_expires_at && { credit_expires_at: instant(body.credit_expires_at) }),
    ...given({ description: body.description || undefined, metadata: body.metadata }),
    return_url: body.return_url,
    failure_url: body.failure_url,
    payment: { token, expires_at, status: 'open' },
  });
  openAccount(context, { id: topUp.customer_id, owner }, topUp.asset, topUp.account_name);
  return topUp;
}

export const getTopUp: Handler<'getTopUp'> = ({ path }, { tables, owner }) => {
  const topUp = tables.top_ups.get(path.topUpId);
  return { status: 200, body: topUp?.owner === owner ? presentTopUp(topUp) : notFound() };
};

export type TopUpRequest = Call<'createTopUp'>['body'];

/** What a top-up buys, with all that keeps it from being bought. */
interface Purchase {
  readonly asset: string;
  readonly rate: Rate;
  readonly credit: Decimal;
  readonly findings: readonly Finding[];
}

/** What is wrong with a top-up whatever it buys. @assumes A-304, A-1101 */
function judgeTopUp(context: Context, body: TopUpRequest): Finding[] {
  const { customer_id, amount, credit_expires_at } = body;
  const currency = findCurrency(body.currency);
  const findings: Finding[] = [];
  if (!findCustomer(context, customer_id))
    findings.push(finding('customer.unknown', 'customer_id'));
  if (!currency) findings.push(finding('currency.required', 'currency'));
  if (currency && decimalPlaces(decimal(amount)) > currency.precision)
    findings.push(finding('amount.too_precise', 'amount'));
  if (credit_expires_at && instant(credit_expires_at) <= context.now)
    findings.push(finding('expiry.in_past', 'credit_expires_at'));
  return findings;
}

/**
 * Fixes what a top-up credits, at the rate given or else at the one in force.
 *
 * @units   `credit` in the asset, rounded once to its places
 * @assumes A-304, A-1102
 */
function priceCredit(context: Context, { amount, currency, destination }: TopUpRequest): Purchase {
  const code = destination?.asset ?? currency;
  const given = destination?.exchange_rate ?? undefined;
  const asset = findAsset(context, code);
  const rate = code === currency ? PAR : rateOf(asset, currency, context.now, given);
  const credit = rate && asset ? quote(decimal(amount), rate, asset.places) : ONE;

  const findings: Finding[] = [];
  if (!asset && code !== currency) findings.push(finding('asset.unknown', 'destination.asset'));
  if (asset && !rate) findings.push(finding('rate.none_in_force', 'destination.exchange_rate'));
  if (code === currency && given !== undefined && given !== 1)
    findings.push(finding('rate.own_source', 'destination.exchange_rate'));
  if (isZero(credit)) findings.push(finding('amount.too_little', 'amount'));
  return { asset: code, rate: rate ?? PAR, credit, findings };
}

function rateOf(
  asset: KnownAsset | undefined,
  currency: string,
  at: Instant,
  given: number | undefined,
): Rate | undefined {
  return readRate({ rate: given ?? null }) ?? periodAt(asset?.schedules[currency] ?? [], at);
}

/** What a currency costs in itself. */
const PAR: Rate = { rate: '1' };

export function presentOrderedTopUp(
  { id, status, created_at, payment }: TopUpRow,
  baseUrl: string,
) {
  const { token, expires_at } = payment;
  return { id, status, redirect_url: checkoutUrl(baseUrl, token), created_at, expires_at };
}

function presentTopUp(topUp: TopUpRow) {
  const { id, customer_id, currency, status, account_name, asset } = topUp;
  return {
    id,
    customer_id,
    amount: wireNumber(topUp.amount),
    currency,
    status,
    destination: { account_name, asset, exchange_rate: wireNumber(topUp.exchange_rate) },
  };
}
