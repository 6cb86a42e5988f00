/** Every business rule that a request can break. The text appears in `errors` under the field at fault. */
export const RULES = {
  'account.external_id_taken': 'Another account has this external_id already; it must be unique.',
  'account.nested': 'A connected account cannot have connected accounts of its own.',
  'asset.code_taken': 'An asset with this code exists already.',
  'asset.precision_fixed':
    'The precision of a currency is fixed; leave the field out or send that precision.',
  'asset.symbol_length': 'Expected one character or emoji.',
  'asset.unknown': 'No asset or currency has this code.',
  'amount.ambiguous':
    'The amount differs from what the other fields come to; send that amount, or leave them out.',
  'amount.too_little': 'The amount buys less than the smallest amount of its asset.',
  'amount.too_precise': 'The amount has more decimals than the precision of its asset allows.',
  'balance.insufficient': 'The account does not hold this amount.',
  'charge.field_missing':
    'Expected with the other fields: input_units needs unit_price, input_volume and volume_rate need each other, package_size needs both.',
  'auto_top_up.amount': 'Expected the amount of each top-up, as there is a threshold.',
  'clock.backward':
    'An advance only goes forward. To go back, set the clock with PUT /_emulator/clock.',
  'clock.duration': 'Expected a duration such as P1M, PT5M, 30d or 1mo.',
  'clock.goal_ambiguous': 'Expected exactly one of by, to and until.',
  'clock.now_unexpected': 'A real clock shows the machine time; leave now out.',
  'clock.out_of_range': 'Expected an instant from 1970 to 9999.',
  'clock.rehearsal_delivers':
    'A dry run delivers nothing; it can advance by a duration, to an instant or until next.',
  'comparison.no_previous': 'No state of this world before the present one is kept.',
  'comparison.side_ambiguous': 'Expected only one of snapshot and previous.',
  'cost.id_taken': 'Another cost record has this id already.',
  'currency.required': 'Expected the code of a currency.',
  'customer.ambiguous': 'Expected exactly one of customer_id and customer_external_id.',
  'customer.external_id_taken': 'Another customer has this external_id already; it must be unique.',
  'customer.unknown': 'No such customer.',
  'dimension.not_billable': 'This dimension is not among the billable_dimensions of the price.',
  'event.id_taken': 'An event with this id belongs to another customer.',
  'event.too_early': 'The event is further in the future than accepted.',
  'event.too_old': 'The event is before the grace period.',
  'effective.needs_credit': 'Only a positive amount can become effective at another time.',
  'expiry.before_effect': 'Expected a time after effective_at.',
  'expiry.in_past': 'Expected a time in the future.',
  'fault.delivery_status': 'Expected the status with which the receiver seems to respond.',
  'fault.effect_missing':
    'Expected an effect: status, latency, connection, rate_limit, lost_response or delivery.',
  'fault.effect_repeated':
    'Expected only one of status, connection, rate_limit, lost_response and delivery; a latency can accompany any of them except delivery.',
  'fault.header': 'Expected a valid response header, with a value without line breaks.',
  'fault.latency': 'Expected a duration of at most an hour, such as 500ms.',
  'fault.match':
    'Rules match requests by operation and customer, and deliveries by topic and destination.',
  'fault.period': 'Expected a duration of at most a year, such as 10s.',
  'fault.seconds': 'Only delay takes seconds.',
  'fault.status_required': 'This is only allowed for requests, together with status.',
  'fault.too_many': 'A world has at most 100 fault rules.',
  'payment.link_ended': 'The payment link is closed and can no longer be paid.',
  'payment.none_awaited': 'No payment is waiting to be settled.',
  'payment.processing': 'The payment is processing: it can succeed or fail.',
  'fixture.required': 'Expected the name of a fixture, because this world does not open with one.',
  'fixture.unknown': 'No fixture of the library has this name.',
  'price.asset_repeated': 'Each asset may have only one pricing entry.',
  'price.fixed_calculation': 'A fixed price has no usage_calculation.',
  'price.fixed_currency': 'A fixed price is paid by card: its asset must be a currency.',
  'price.fixed_no_shared_currency': 'No currency is common to all fixed prices.',
  'price.fixed_model_not_emulated': 'Pricing models of fixed prices are not emulated.',
  'price.fixed_value': 'A value of a fixed price has only a name, a unit_price and a quantity.',
  'price.interval_mixed': 'All recurring prices must share one interval and one interval_count.',
  'price.basis_not_counted': 'Usage that counts only units has no volume as a basis.',
  'price.billing_model': 'A fixed price is billed recurring or one_time.',
  'price.bounds_order': 'The max_amount must not be less than the min_amount.',
  'price.calculation_required': 'A usage_based price needs a usage_calculation.',
  'price.interval_required': 'A recurring billing model needs recurring.interval.',
  'price.interval_unexpected': 'Only a recurring billing model has an interval.',
  'price.nested_values': 'A group has rows in its values, and no amounts itself.',
  'price.one_row': 'Expected one row; only tiered and bulk prices have several.',
  'price.one_time_unexpected': 'Only a one_time billing model has one_time.',
  'price.package_size_alone':
    'A package_size needs a volume_rate, or a price that counts packages.',
  'price.package_size_mixed': 'If packages are counted, all rows must have the same package_size.',
  'price.package_size_required': 'Expected the package_size, because packages are counted.',
  'price.package_usage': 'Packages hold units or volume, not both.',
  'price.quantity_unexpected': 'Only a fixed price has a quantity.',
  'price.rows_too_many': 'Expected at most 100 rows.',
  'price.tier_dimensions':
    'Tiers cannot have dimensions; put the dimensions in the group that contains them.',
  'price.tiering_basis_required': 'Expected the basis of the bounds: unit, volume or package.',
  'price.tiering_basis_unexpected': 'A package price counts packages; leave the basis out.',
  'price.tiering_required': 'A tiered or bulk price needs its tiering.',
  'price.tiering_unexpected': 'Only tiered, bulk and package prices have a tiering.',
  'price.unit_price_required': 'Expected a unit_price.',
  'price.unit_price_unexpected': 'A price by volume has no unit_price.',
  'price.up_to_order': 'Expected ascending bounds, and a last row without a bound.',
  'price.up_to_unexpected': 'Only rows of tiered and bulk prices have a bound.',
  'price.usage_billing_not_emulated':
    'Usage that is billed recurring or one_time is not emulated; send real_time.',
  'price.value_amount_required': 'Expected a unit_price, a volume_rate or both.',
  'price.values_mixed': 'Values must be all rows or all groups of rows.',
  'price.volume_field_required': 'Expected the event field that holds the volume.',
  'price.volume_field_unexpected': 'A price per unit has no volume_field.',
  'price.volume_rate_required': 'Expected a volume_rate.',
  'price.volume_rate_unexpected': 'A price per unit has no volume_rate.',
  'product.archived': 'The product is archived.',
  'product.code_mismatch': 'The id and the code name different products.',
  'product.code_taken': 'Another product has this code already.',
  'product.reference_required': 'Expected the id or the code of a product.',
  'product.repeated': 'A subscription can have each product only once.',
  'product.unknown': 'No such product.',
  'rate.missing': 'A starting rate needs `rate` or `inverse_rate`.',
  'rate.disagrees': "`rate` and `inverse_rate` must be each other's inverse to 12 digits.",
  'rate.none_in_force': 'No exchange rate is in force at that time.',
  'rate.own_source': 'A currency has no exchange rate to itself.',
  'rate.reaches_later': 'The period overlaps a period that is scheduled later.',
  'rate.source_repeated': 'Each source may be listed once.',
  'rate.valid_to_order': 'Expected a time after valid_from.',
  'sandbox.no_time': 'Expected a duration greater than zero.',
  'sandbox.source_ambiguous': 'Expected at most one of fixture, snapshot and sandbox.',
  'sandbox.unknown': 'This sandbox is not open in that environment.',
  'snapshot.required': 'Expected the name of a snapshot.',
  'snapshot.unexpected': 'Only fixtures and snapshots have names; leave it out.',
  'subscription.awaits_payment':
    'The subscription awaits payment and becomes active when it is paid.',
  'subscription.payment_processing':
    'The payment of its fee is processing: the version can change once it has succeeded or failed.',
  'subscription.renewal_order':
    'Expected a time after now and after the start of the subscription.',
  'subscription.scheduled': 'The subscription becomes active automatically at its start.',
  'subscription.url_required': 'A recurring subscription needs this URL.',
  'transaction.reused': 'A transaction with this id and other content exists already.',
  'url.credentials': 'A URL must not contain credentials.',
  'url.scheme': 'Expected https, or http to a local or private host.',
  'vendor.external_id_taken': 'Another vendor has this external_id already; it must be unique.',
  'vendor.mismatch': 'The id and the external id name different vendors.',
  'vendor.reference_required': 'Expected the id or the external id of a vendor.',
  'vendor.unknown': 'No such vendor.',
  'version.archived': 'An archived version cannot be used.',
  'version.draft': 'Only a published version can be used.',
  'version.none_default': 'The product has no default version.',
  'version.too_many': 'A product has at most 32,767 versions.',
  'version.unknown': 'No such version.',
  'world.clock': 'Expected `at` for a frozen clock, `offset_ms` for an offset clock.',
  'world.other_format': 'Expected the export of a world.',
  'world.newer': 'A newer release made this export.',
  'webhook.unknown': 'No such destination.',
} as const;

export type Rule = keyof typeof RULES;

/** One broken rule at one field. */
export interface Finding {
  /** Wire path of the field at fault, such as `events[2].occurred_at`. */
  field: string;
  message: string;
}

/** The finding of a broken rule. `expected` is a sentence that says what this request should have sent. */
export const finding = (rule: Rule, field: string, expected?: string): Finding => ({
  field,
  message: expected === undefined ? RULES[rule] : `${RULES[rule]} ${expected}`,
});

/** The finding if the rule is broken; otherwise none. */
export const findingIf = (isBroken: unknown, rule: Rule, field: string): Finding[] =>
  isBroken ? [finding(rule, field)] : [];

/** A valid request that breaks business rules. The response is always 422. */
export class RuleViolation extends Error {
  override readonly name = 'RuleViolation';
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(({ field, message }) => `${field}: ${message}`).join(' '));
    this.findings = findings;
  }
}

/** Throws a RuleViolation for one broken rule. */
export function violate(rule: Rule, field: string): never {
  throw new RuleViolation([finding(rule, field)]);
}

/** Throws a RuleViolation with all findings, if there are any. */
export function throwIfInvalid(findings: readonly Finding[]): void {
  if (findings.length > 0) throw new RuleViolation(findings);
}

/** Whether an optional field of a request was given. @assumes A-307 null means absent */
export const isGiven = <T>(value: T | null | undefined): value is T =>
  value !== undefined && value !== null;
