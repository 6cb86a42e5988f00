import { add, type Decimal, decimal, format, ZERO } from '../../domain/decimal.ts';
import { instant } from '../../domain/instant.ts';
import { finding, refuseAll } from '../../domain/rules.ts';
import { contentDigest, deriveId } from '../../state/ids.ts';
import type { FeeRecord, ProductRow } from '../../state/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Context, Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { findProductById, versionOfPath } from '../products/product-lookup.ts';
import type { EventInput } from './event-intake.ts';
import { usageOf } from './event-storage.ts';
import { presentFee } from './present-event.ts';
import { type Billing, billUsage, openBilling, totalOf } from './usage-billing.ts';
import { pricesByType } from './usage-prices.ts';

export const simulateUsage: Handler<'simulateUsage'> = ({ path, body }, context) => {
  const version = versionOfPath(context, path);
  const customer =
    typeof body.customer_id === 'string' ? findCustomer(context, body.customer_id) : undefined;
  refuseAll([
    ...(typeof body.customer_id === 'string' && !customer
      ? [finding('customer.unknown', 'customer_id')]
      : []),
  ]);
  const product = findProductById(context, version.product_id) as ProductRow;
  const prices = { byType: pricesByType([{ product, version }]), billed_by: [] };
  const billing = openBilling(context, {
    customer,
    pricesAt: () => prices,
    nextFeeId: simulatedFeeIds(context, JSON.stringify([path, body])),
  });
  const events = context.world.dryRun(() =>
    body.events.map((event) => simulateEvent(billing, event)),
  );
  return {
    status: 200,
    body: {
      events: events.map(({ presented }) => presented),
      totals: presentTotals(events.flatMap(({ fees }) => fees)),
    },
  };
};

function simulateEvent(billing: Billing, input: EventInput) {
  const usage = usageOf(input, instant(input.occurred_at));
  const fees = billUsage(billing, usage);
  const { amount, currency } = totalOf(billing.context, fees, usage.occurred_at);
  const presented = {
    id: usage.event_id,
    event_type: usage.event_type,
    fees: fees.map(presentFee),
    total_fees: wireNumber(format(amount)),
    fee_currency: currency,
  };
  return { fees, presented };
}

/** Ids that depend on the request alone, so that none of a stored fee is used up. @assumes A-512 */
function simulatedFeeIds({ world, owner }: Context, request: string): () => string {
  const { seed, sandbox, environment } = world;
  const digest = contentDigest(request);
  let ordinal = 0;
  return () => {
    ordinal += 1;
    return deriveId('fee', [seed, sandbox, environment, owner, 'simulation', digest, ordinal]);
  };
}

function presentTotals(fees: readonly FeeRecord[]) {
  const totals = new Map<string, Decimal>();
  for (const { currency, amount } of fees)
    totals.set(currency, add(totals.get(currency) ?? ZERO, decimal(amount)));
  return [...totals].map(([asset, amount]) => ({ asset, amount: wireNumber(format(amount)) }));
}
