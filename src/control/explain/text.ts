import type { UsageCalculation } from '../../domain/pricing/price.ts';
import { roundedAwayText } from '../../resources/events/usage-warnings.ts';
import type { components } from '../../spec/control.d.ts';
import { plural, printableLine } from '../../text/wording.ts';
import type { FeeExplanation } from './fee.ts';

type EventExplanation = components['schemas']['EventExplanation'];

export function formatFee(fee: FeeExplanation): string {
  const { fee_id, amount, asset, customer_id, customer, event } = fee;
  return page([
    `Why is this fee ${amount} ${asset}?`,
    '',
    `Fee ${fee_id} of customer ${customer}, ${customer_id}`,
    ...formatUsage(event),
    ...formatSteps(fee),
  ]);
}

export function formatEvent(explanation: EventExplanation): string {
  const { event, customer_id, customer, fees, products, without_fee, warnings } = explanation;
  const { total_fees, fee_currency } = explanation;
  const question =
    fees.length === 0
      ? 'Why does this usage event have no fee?'
      : `Why does this usage event cost ${total_fees} ${fee_currency}?`;
  return page([
    question,
    '',
    `Customer ${customer}, ${customer_id}`,
    ...formatUsage(event),
    '',
    'Products considered',
    ...(products.length === 0 ? ['   None: no subscription billed usage.'] : []),
    ...products.map((product) => `   ${formatProduct(product)}`),
    ...explanation.subscriptions_not_asked.map(
      ({ subscription_id, reason }) => `   Not ${subscription_id}: ${reason}.`,
    ),
    ...fees.flatMap((fee, place) => [
      '',
      `Fee ${place + 1} of ${fees.length}: ${fee.amount} ${fee.asset} (${fee.fee_id})`,
      ...formatSteps(fee),
    ]),
    ...section('Prices that made no fee', without_fee.flatMap(formatWithout)),
    ...formatWorth(explanation),
    ...section(
      'Warnings',
      warnings.map(({ message }) => `   ${message}`),
    ),
  ]);
}

/** Which version a subscription held, since when, and why it did not bill where it did not. */
function formatProduct(product: EventExplanation['products'][number]): string {
  const { code, version, subscription_id, since, past_due, reason } = product;
  const held = `${code}, version ${version}, by ${subscription_id}`;
  const standing = [`since ${moment(since)}`, ...(past_due ? ['past due'] : [])];
  return (
    [held, ...standing].join(', ') +
    (reason === undefined ? '' : `: not considered, because ${reason}`)
  );
}

function formatUsage({ event_id, event_type, ...event }: FeeExplanation['event']): string[] {
  const data = Object.entries(event.data).map(([name, value]) => `${name} ${value}`);
  const task = event.subject === undefined ? '' : ` for ${event.subject}`;
  return [
    `Usage event ${event_id}: ${event_type}${task}`,
    `   happened ${moment(event.occurred_at)}, submitted ${moment(event.submitted_at)}`,
    `   data: ${data.join(', ') || 'none'}`,
  ];
}

/** The way to a fee, step by step: lines under headings. */
export function stepsOfFee(fee: FeeExplanation) {
  return [
    { title: 'Which price', lines: formatPrice(fee) },
    { title: 'Which value', lines: fee.matching.map(formatValue) },
    { title: 'Which asset', lines: formatChoice(fee) },
    { title: 'How much', lines: formatAmount(fee) },
    { title: 'Paid from', lines: formatWallet(fee) },
    { title: 'What it brings in', lines: formatRevenue(fee.revenue, fee.asset) },
  ];
}

function formatSteps(fee: FeeExplanation): string[] {
  return stepsOfFee(fee).flatMap(({ title, lines }, place) =>
    section(`${place + 1}. ${title}`, lines),
  );
}

function formatPrice({ product, price }: FeeExplanation): string[] {
  return [
    `   Product ${product.code} (${product.name}), version ${product.version}, by ${product.subscription_id},`,
    `   ${product.reason}.`,
    `   Its price ${price.name} counts ${price.event_type}: ${countedText(price)}.`,
    ...(price.period === undefined
      ? []
      : [`   It is ${price.pricing_model}, by the quantity used ${PERIODS[price.period]}.`]),
  ];
}

/** What a price counts of an event, and by which of its fields. */
export function countedText(
  price: Pick<UsageCalculation, 'volume_field' | 'billable_dimensions'> & { usage_type: string },
): string {
  const counted = {
    unit: 'one unit for each',
    volume: `the volume in ${price.volume_field}`,
    unit_and_volume: `one unit for each and the volume in ${price.volume_field}`,
  }[price.usage_type];
  const dimensions = price.billable_dimensions.join(', ');
  return counted + (dimensions && `, by ${dimensions}`);
}

/** Which usage a value of a price asks for. */
export const dimensionsText = (dimensions: Readonly<Record<string, string>>): string =>
  Object.entries(dimensions)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || 'any usage';

function formatValue(value: FeeExplanation['matching'][number]): string {
  const { asset, place, name, dimensions, chosen, reason } = value;
  const label = [name, dimensionsText(dimensions)].filter(Boolean);
  return `   ${chosen ? '→' : ' '} ${asset} ${place}. ${label.join(': ')}. It ${reason}.`;
}

function formatChoice({ asset_choice: { asset, choices, reason } }: FeeExplanation): string[] {
  return [
    `   ${asset}: ${reason}.`,
    ...choices.map((choice) =>
      choice.amount === undefined
        ? `   ${choice.asset} had ${choice.available}.`
        : `   ${choice.asset} had ${choice.available}; the fee would be ${choice.amount}.`,
    ),
  ];
}

function formatAmount({ arithmetic, asset }: FeeExplanation): string[] {
  const { formula, exact, places, rounded, amount, bound, parts, method } = arithmetic;
  const kept = places === 0 ? 'whole units' : plural(places, 'decimal place');
  const isRoundedAway = rounded && amount === 0;
  const sum = formula === exact ? exact : `${formula} = ${exact}`;
  return [
    ...(method === undefined
      ? []
      : [
          `   ${arithmetic.quantity_before} was used before, and the event counts ${arithmetic.quantity}: ${method}.`,
        ]),
    ...(parts.length < 2 ? [] : parts.map(formatPart)),
    ...(formula === String(amount) ? [] : [`   ${sum}`]),
    ...(bound === undefined ? [] : [`   The ${bound} of the row is ${arithmetic.bound_amount}.`]),
    ...(isRoundedAway ? [`   It ${roundedAwayText(asset)}.`] : []),
    rounded
      ? `   Rounded to ${kept}, half to even: ${amount} ${asset}.`
      : `   ${amount} ${asset}. It is kept to ${kept}; there is nothing to round.`,
  ];
}

const PERIODS: Readonly<Record<string, string>> = {
  lifetime: 'ever',
  monthly: 'in the month',
  quarterly: 'in the quarter',
  yearly: 'in the year',
};

function formatPart({ row, name, up_to, formula }: FeeExplanation['arithmetic']['parts'][number]) {
  const end = up_to === undefined ? '' : `, up to ${up_to}`;
  return `   Row ${row}${name === undefined ? '' : ` (${name})`}${end}: ${formula}`;
}

function formatWallet({ wallet }: FeeExplanation): string[] {
  if (!wallet) return ['   Nothing: a fee of 0 is not charged.'];
  return [
    `   ${wallet.account_id} had ${wallet.balance_before} and was left with ${wallet.balance_after}.`,
    ...wallet.draws.map(
      (draw) =>
        `   ${draw.amount} from ${formatGrant(draw)}, which had ${draw.available} and has ${draw.left}: ${draw.reason}.`,
    ),
    ...(Number(wallet.debt) > 0
      ? [`   ${wallet.debt} was not covered by credit and became debt.`]
      : []),
    `   Posted as ${wallet.transaction_id}:`,
    ...wallet.postings.map(({ from, to, amount }) => `      ${from} → ${to} ${amount}`),
  ];
}

type Draw = NonNullable<FeeExplanation['wallet']>['draws'][number];

function formatGrant({ grant_id, purpose, source, expires_at }: Draw): string {
  const end = expires_at === null ? 'never expires' : `expires ${moment(expires_at)}`;
  return `${grant_id} (${purpose}, by ${source.replace('_', '-')}, ${end})`;
}

function formatRevenue(revenue: FeeExplanation['revenue'], asset: string): string[] {
  const { currency, amount, parts } = revenue;
  if (parts.length === 0) return [`   ${amount} ${currency}.`];
  return [
    ...parts.map((part) => {
      const grant = part.grant_id === undefined ? '' : ` from ${part.grant_id}`;
      return `   ${part.amount} ${asset}${grant}: ${part.value} ${currency}, as ${part.reason}.`;
    }),
    `   Revenue of the fee: ${amount} ${currency}.`,
  ];
}

function formatWithout(price: EventExplanation['without_fee'][number]): string[] {
  const { product_code, product_version, name, reason, matching = [] } = price;
  return [
    `   ${name} of ${product_code}, version ${product_version}: ${reason}.`,
    ...matching.map((value) => `   ${formatValue(value)}`),
  ];
}

function formatWorth(explanation: EventExplanation): string[] {
  const { costs, revenue, cost, reporting_currency } = explanation;
  return section('Totals', [
    ...costs.map(
      ({ amount, currency, vendor_id, value }) =>
        `   ${amount} ${currency} went to ${vendor_id}: ${value} ${reporting_currency}.`,
    ),
    `   Revenue ${revenue}, cost ${cost} ${reporting_currency}.`,
  ]);
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

const moment = (instant: string): string =>
  `${instant.replace('T', ' ').replace(/(\.000)?Z$/, '')} UTC`;

const page = (lines: readonly string[]): string => `${lines.map(printableLine).join('\n')}\n`;
