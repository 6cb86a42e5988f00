import { findCurrency } from '../../domain/currencies.ts';
import {
  compare,
  type Decimal,
  decimal,
  decimalPlaces,
  format,
  isZero,
  multiply,
  ONE,
} from '../../domain/decimal.ts';
import { omitNullish } from '../../domain/fields.ts';
import { after, instant } from '../../domain/instant.ts';
import { periodAt, quote, type Rate, readRate } from '../../domain/rates.ts';
import { type Finding, findingIf, throwIfInvalid } from '../../domain/rules.ts';
import type { Call } from '../../spec/operations.ts';
import type { TopUpRow } from '../../store/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import { findAsset } from '../assets/asset-lookup.ts';
import { type Context, type Handler, owned } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { addLink } from '../links.ts';
import { notFound } from '../problems.ts';
import { checkoutUrl } from '../subscriptions/subscriptions.ts';
import { DEFAULT_ACCOUNT_NAME, openAccount } from '../wallet-accounts.ts';
import { noteIgnored, warn } from '../warnings.ts';

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
  throwIfInvalid([...validateTopUp(context, body), ...purchase.findings]);

  const { customer_id } = body;
  const id = world.nextId('top_up', owner);
  const expires_at = after(now, settings.payment_link_lifetime);
  const link = { kind: 'payment', customer_id, top_up_id: id, expires_at } as const;
  const { id: token } = addLink(context, link);
  const topUp = tables.top_ups.put({
    id,
    seq: world.nextSeq(),
    owner,
    created_at: now,
    customer_id,
    amount: format(decimal(body.amount)),
    currency: body.currency,
    status: 'initiated',
    account_name: body.destination?.account_name ?? DEFAULT_ACCOUNT_NAME,
    asset: purchase.asset,
    exchange_rate: purchase.rate.rate,
    credit: format(purchase.credit),
    ...(body.credit_expires_at && { credit_expires_at: instant(body.credit_expires_at) }),
    ...omitNullish({ description: body.description, metadata: body.metadata }),
    return_url: body.return_url,
    failure_url: body.failure_url,
    payment: { token, expires_at, status: 'open' },
  });
  openAccount(context, { id: topUp.customer_id, owner }, topUp.asset, topUp.account_name);
  noteRate(context, body, topUp.asset);
  return topUp;
}

export const getTopUp: Handler<'getTopUp'> = ({ path }, context) => {
  const topUp = owned(context, context.tables.top_ups.get(path.topUpId)) ?? notFound();
  return { status: 200, body: presentTopUp(topUp) };
};

export type TopUpRequest = Call<'createTopUp'>['body'];

/** What a top-up buys, with the findings against it. */
interface Purchase {
  readonly asset: string;
  readonly rate: Rate;
  readonly credit: Decimal;
  readonly findings: readonly Finding[];
}

/** Checks a top-up, apart from what it buys. @assumes A-304, A-1101 */
function validateTopUp(context: Context, body: TopUpRequest): Finding[] {
  const { customer_id, amount, credit_expires_at } = body;
  const currency = findCurrency(body.currency);
  const isTooPrecise = currency && decimalPlaces(decimal(amount)) > currency.precision;
  const isPast = credit_expires_at && instant(credit_expires_at) <= context.now;
  return [
    ...findingIf(!findCustomer(context, customer_id), 'customer.unknown', 'customer_id'),
    ...findingIf(!currency, 'currency.required', 'currency'),
    ...findingIf(isTooPrecise, 'amount.too_precise', 'amount'),
    ...findingIf(isPast, 'expiry.in_past', 'credit_expires_at'),
  ];
}

/**
 * Calculates the credit of a top-up at the given rate; without one, at the rate in force.
 *
 * @units   `credit` in the asset, rounded once to its places
 * @assumes A-304, A-1102
 */
function priceCredit(context: Context, { amount, currency, destination }: TopUpRequest): Purchase {
  const code = destination?.asset ?? currency;
  const asked = destination?.exchange_rate;
  const asset = findAsset(context, code);
  const scheduled = () => periodAt(asset?.schedules[currency] ?? [], context.now);
  const rate = code === currency ? PAR : (readRate({ rate: asked ?? null }) ?? scheduled());
  const credit = rate && asset ? quote(decimal(amount), rate, asset.places) : ONE;

  const rateField = 'destination.exchange_rate';
  const findings = [
    ...findingIf(!asset && code !== currency, 'asset.unknown', 'destination.asset'),
    ...findingIf(asset && !rate, 'rate.none_in_force', rateField),
    ...findingIf(isZero(credit), 'amount.too_little', 'amount'),
  ];
  return { asset: code, rate: rate ?? PAR, credit, findings };
}

/** A rate that differs from the asset's own by more than this factor is probably the inverse. */
const UNUSUAL = decimal('100');

/** Warns of a rate of the request that is ignored, or far from the asset's own. @assumes A-1102, A-1108 */
function noteRate(context: Context, { currency, destination }: TopUpRequest, code: string): void {
  const asked = destination?.exchange_rate;
  if (asked === undefined || asked === null) return;
  const field = 'destination.exchange_rate';
  if (code === currency) {
    noteIgnored(context, 'createTopUp', field, 'a currency costs one of itself.');
    return;
  }
  const own = periodAt(findAsset(context, code)?.schedules[currency] ?? [], context.now);
  if (!own) return;
  const [sent, usual] = [decimal(asked), decimal(own.rate)];
  const isFar = (low: Decimal, high: Decimal) => compare(multiply(low, UNUSUAL), high) < 0;
  if (!isFar(sent, usual) && !isFar(usual, sent)) return;
  warn(context, {
    kind: 'unusual_rate',
    place: code,
    message: `The top-up has an exchange rate of ${format(sent)} ${currency} for one ${code}, whose own rate is ${own.rate}: is it the inverse?`,
    field,
  });
}

/** The rate of a currency in itself. */
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
