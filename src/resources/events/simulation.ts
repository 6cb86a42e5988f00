import { given } from '../../domain/fields.ts';
import { instant } from '../../domain/instant.ts';
import { isGiven, violate } from '../../domain/rules.ts';
import type { FeeRecord, ProductRow } from '../../store/records.ts';
import type { Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { findProductById, versionOfPath } from '../products/product-lookup.ts';
import type { EventInput } from './event-intake.ts';
import { usageOf } from './events.ts';
import { presentFee } from './present-event.ts';
import { type Billing, billUsage, openBilling } from './usage-billing.ts';
import { offerOf } from './usage-prices.ts';
import { freeUsageWarning } from './usage-warnings.ts';

/** Prices events like real usage, and rolls everything back. @assumes A-512 */
export const simulateUsage: Handler<'simulateUsage'> = ({ path, body }, context) => {
  const version = versionOfPath(context, path);
  const { customer_id } = body;
  const customer = isGiven(customer_id)
    ? (findCustomer(context, customer_id) ?? violate('customer.unknown', 'customer_id'))
    : undefined;
  const product = findProductById(context, version.product_id) as ProductRow;
  const prices = { offers: [offerOf(version, product)], billed_by: [] };
  const billing = openBilling(context, {
    customer,
    pricesAt: () => prices,
    nextFeeId: () => 'simulated',
  });
  const simulated = context.world.dryRun(() =>
    body.events.map((event) => simulateEvent(billing, event)),
  );
  const fees = simulated.flatMap((each) => each.fees);
  const warnings = simulated.flatMap((each) => each.warnings);
  return { status: 200, body: { fees, ...(warnings.length > 0 && { warnings }) } };
};

function simulateEvent(billing: Billing, input: EventInput) {
  const usage = usageOf(input, instant(input.occurred_at));
  const { event_id, event_type } = usage;
  const { fees, free } = billUsage(billing, usage);
  // A fee that is rounded to 0 is among the fees.
  const unbilled = free.filter(({ why }) => why !== 'rounded_away');
  return {
    fees: fees.map((fee) => presentSimulated(event_id, event_type, fee)),
    warnings: unbilled.map((each) => `${event_id}: ${freeUsageWarning(usage, each).message}`),
  };
}

function presentSimulated(usage_id: string, event_type: string, fee: FeeRecord) {
  const { price_id, price_name, currency, usage_type, amount, ...shown } = presentFee(fee);
  const { dimensions, volume_field, input_volume, unit_price, volume_rate, package_size } = shown;
  return {
    usage_id,
    event_type,
    price_id,
    price_name,
    currency,
    usage_type,
    ...given({ dimensions, volume_field, input_volume, unit_price, volume_rate, package_size }),
    amount,
  };
}
