import type { VersionStatus } from '../domain/catalog.ts';
import type { DecimalText } from '../domain/decimal.ts';
import type { GrantPurpose } from '../domain/grants.ts';
import type { Day, Instant, Interval } from '../domain/instant.ts';
import type { EventData, PricingEntry, UsageCalculation, UsageType } from '../domain/pricing.ts';
import type { RatePeriod } from '../domain/rates.ts';
import type { RenewalSchedule } from '../domain/subscriptions.ts';
import type { Row } from './table.ts';

/**
 * One interface per thing kept. Names are those of the wire; decimals are plain text. A record belongs to
 * its `owner`, the platform's account or one connected account.
 */
export interface Owned extends Row {
  readonly owner: string;
  readonly created_at: Instant;
}

/** A record while it is made. */
export type Draft<R> = { -readonly [N in keyof R]: R[N] };

export type Metadata = Readonly<Record<string, string>>;
export type DataValue = string | number | boolean;

export interface ConnectedAccountRow extends Owned {
  readonly name: string;
  readonly external_id?: string;
  readonly metadata: Metadata | null;
}

/** Keyed by owner and code. A currency has a row only once it was created or given a rate. */
export interface AssetRow extends Owned {
  readonly code: string;
  readonly name: string;
  readonly precision: number;
  readonly label: string;
  readonly symbol?: string;
  /** Whether it was created by request, so that it is listed. */
  readonly listed: boolean;
  /** By source currency, each newest first. */
  readonly schedules: Readonly<Record<string, readonly RatePeriod[]>>;
  /** When the next of its rates begins or ends, where one is scheduled. */
  readonly rates_change_at?: Instant;
}

export interface ExternalAccount {
  readonly provider: string;
  readonly provider_id: string;
}

export interface CustomerRow extends Owned {
  readonly name: string;
  readonly external_id?: string;
  readonly email?: string;
  readonly metadata: Metadata | null;
  readonly external_accounts: readonly ExternalAccount[];
  /** How it paid last. */
  readonly payment_method?: PaymentMethod;
}

export interface PriceRecord {
  readonly id: string;
  readonly name: string;
  readonly type: 'fixed' | 'usage_based';
  readonly billing_model:
    | { readonly type: 'recurring'; readonly recurring: { readonly interval: Interval } }
    | { readonly type: 'real_time' };
  readonly usage_calculation?: UsageCalculation;
  readonly pricing: readonly PricingEntry[];
}

export interface EntitlementRecord {
  readonly name: string;
  readonly asset: string;
  readonly amount: DecimalText;
  readonly purpose: 'bundled' | 'promotion';
  readonly lifecycle?: {
    readonly duration: Interval;
    readonly duration_count: number;
    readonly refresh?: { readonly strategy: 'expire_and_replace' };
  };
  readonly accounting: {
    readonly revenue_basis: DecimalText;
    readonly cost_basis: 'auto' | DecimalText;
  };
}

export interface ProductRow extends Owned {
  readonly code: string;
  readonly default_version?: number;
  readonly newest_version: number;
  readonly archived: boolean;
  /** Whether some subscription ever named it. */
  readonly used: boolean;
}

/** Keyed by product id and number. */
export interface VersionRow extends Owned {
  readonly product_id: string;
  readonly version: number;
  readonly name: string;
  readonly description?: string;
  readonly status: VersionStatus;
  readonly prices: readonly PriceRecord[];
  readonly entitlements: readonly EntitlementRecord[];
  readonly published_at?: Instant;
  readonly archived_at?: Instant;
}

export interface SubscribedProduct {
  readonly id: string;
  readonly code: string;
  readonly version: number;
}

export type SubscriptionStatus = 'action_required' | 'active' | 'inactive';

/** How a fixed fee is paid: what the payer gave, remembered for renewals. */
export interface PaymentMethod {
  readonly kind: 'card' | 'bank_debit';
  /** Last four digits, as shown. */
  readonly last4: string;
  /** Whether a later payment without the payer is declined. */
  readonly declines_later: boolean;
}

/** A hosted payment waiting to be settled. */
export interface PaymentSession {
  readonly token: string;
  readonly expires_at: Instant;
  readonly status: 'open' | 'processing';
  /** While it is processing: when the money arrives, and from where. */
  readonly settles_at?: Instant;
  readonly method?: PaymentMethod;
  /** A card that the payer has yet to confirm. */
  readonly confirming?: PaymentMethod;
  /** Reason of the latest refusal. */
  readonly failure?: string;
}

/** A fixed fee that was collected for one period of a subscription. */
export interface FeePaymentRow extends Owned {
  readonly customer_id: string;
  readonly subscription_id: string;
  readonly amount: DecimalText;
  readonly currency: string;
  /** Its worth in the reporting currency. */
  readonly revenue: DecimalText;
  readonly payment_method: PaymentMethod;
}

/** Keyed by token: what a payment link of a subscription leads to, kept after the link has ended. */
export interface PaymentLinkRow extends Owned {
  readonly subscription_id: string;
  readonly paid: boolean;
}

export interface SubscriptionRow extends Owned {
  readonly customer_id: string;
  readonly status: SubscriptionStatus;
  readonly products: readonly SubscribedProduct[];
  /** Where one was asked for. */
  readonly starts_at?: Instant;
  readonly started_at?: Instant;
  /** While its start lies ahead, paid for or not: when usage, grants and periods begin. */
  readonly begins_at?: Instant;
  /** Since when it runs: what entitlements and, as a rule, renewals are counted from. */
  readonly anchor?: Instant;
  /** By which `renews_at` moves on; a perpetual one has none. */
  readonly renewal?: RenewalSchedule;
  /** The next renewal or, before it ever ran, the first one as asked for. */
  readonly renews_at?: Instant;
  /** Next moment at which an entitlement that refreshes falls due, while it is active. */
  readonly refreshes_at?: Instant;
  readonly return_url?: string;
  readonly failure_url?: string;
  readonly redirect_to: 'return_url' | 'portal';
  readonly payment?: PaymentSession;
  readonly payment_method?: PaymentMethod;
}

export interface FeeRecord {
  readonly id: string;
  readonly product_id: string;
  readonly product_code: string;
  readonly product_version: number;
  readonly price_id: string;
  readonly price_name: string;
  readonly currency: string;
  readonly usage_type: UsageType;
  readonly amount: DecimalText;
  readonly dimensions: Metadata | null;
  readonly volume_field?: string;
  readonly input_volume: DecimalText | null;
  readonly unit_price: DecimalText | null;
  readonly volume_rate: DecimalText | null;
  readonly package_size: number | null;
  /** Id of the ledger transaction that posted it; a fee of 0 posts nothing. */
  readonly transaction_id?: string;
  /** Its worth in the reporting currency. */
  readonly revenue: DecimalText;
  /** The subscription whose product asked for it; absent where prices are only tried out. */
  readonly subscription_id?: string;
  /** Where several assets were possible: each with what its account had before. */
  readonly choices?: readonly AssetChoice[];
  /** The exchange rate that valued what counts in full, where it is not in the reporting currency. */
  readonly valuation?: RatePeriod;
}

export interface AssetChoice {
  readonly asset: string;
  readonly available: DecimalText;
}

/** A product whose prices were asked when usage was submitted. */
export interface BilledProduct extends SubscribedProduct {
  readonly subscription_id: string;
  /** Whether a subscription that started later decided its version. */
  readonly superseded?: true;
}

export interface CostRecord {
  readonly id: string;
  readonly vendor_id: string;
  readonly amount: DecimalText;
  readonly currency: string;
  readonly category?: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, DataValue>>;
  readonly units?: DecimalText;
  readonly unit_price?: DecimalText;
  readonly input_volume?: DecimalText;
  readonly volume_rate?: DecimalText;
  readonly package_size?: DecimalText;
  /** Its amount in the reporting currency. */
  readonly cost: DecimalText;
}

/** Keyed by owner and the caller's id. */
export interface EventRow extends Owned {
  readonly event_id: string;
  readonly customer_id: string;
  readonly event_type: string;
  readonly occurred_at: Instant;
  readonly subject?: string;
  readonly description?: string;
  readonly data: EventData;
  /** What the customer was subscribed to when it was submitted; shared by events of the same terms. */
  readonly billed_by: readonly BilledProduct[];
  readonly fees: readonly FeeRecord[];
  /** What the fees come to, in their asset where they share one; absent without fees. */
  readonly total_fees?: DecimalText;
  readonly fee_currency?: string;
  readonly costs: readonly CostRecord[];
  /** In the reporting currency. */
  readonly revenue: DecimalText;
  readonly cost: DecimalText;
}

/** Keyed by owner and the caller's cost id: which event holds it. */
export interface CostClaimRow extends Row {
  readonly event: string;
}

/** Running sums in the reporting currency. Keyed by what they are of, such as a customer and a day. */
export interface TotalsRow extends Row {
  readonly of: string;
  readonly day?: Day;
  readonly revenue: DecimalText;
  readonly cost: DecimalText;
}

/** Keyed by vendor, day and category. */
export interface VendorDayRow extends Row {
  readonly vendor_id: string;
  readonly day: Day;
  readonly category: string | null;
  readonly cost: DecimalText;
  readonly count: number;
}

/** Keyed `{customer_id}:{subject}`. */
export interface TaskRow extends Row {
  readonly owner: string;
  readonly customer_id: string;
  readonly subject: string;
  readonly event_count: number;
  readonly created_at: Instant;
  readonly last_updated_at: Instant;
  readonly revenue: DecimalText;
  readonly cost: DecimalText;
}

/** Keyed by customer and account id, which is `name:asset`. */
export interface WalletAccountRow extends Owned {
  readonly account_id: string;
  readonly customer_id: string;
  readonly name: string;
  readonly asset: string;
  readonly available: DecimalText;
}

export type { GrantPurpose };
export type GrantSource = 'top_up' | 'adjustment' | 'entitlement';

export interface GrantRow extends Owned {
  readonly customer_id: string;
  readonly account_id: string;
  readonly asset: string;
  readonly purpose: GrantPurpose;
  readonly amount: DecimalText;
  readonly remaining: DecimalText;
  /** How much of it repaid debt when it was given. */
  readonly repaid: DecimalText;
  readonly effective_at: Instant;
  readonly expires_at: Instant | null;
  readonly transaction_id: string;
  readonly source: GrantSource;
  /** What one unit drawn is worth as revenue, in the reporting currency; full value where absent. */
  readonly revenue_basis?: DecimalText;
  /** Which entitlement of which subscription it fulfils, so that a refresh finds it. */
  readonly entitlement?: {
    readonly subscription_id: string;
    readonly product_id: string;
    readonly version: number;
    readonly index: number;
    readonly name: string;
  };
}

/** The platform's counter-accounts. */
export type BookAccount = 'external' | 'promotions' | 'revenue' | 'breakage';

/** Moves a positive amount from one account to the other, so that none can be out of balance. */
export interface Posting {
  readonly from: 'wallet' | BookAccount;
  readonly to: 'wallet' | BookAccount;
  readonly amount: DecimalText;
  readonly grant_id?: string;
  /** Of credit given: when it was to end. The grant itself may end sooner. */
  readonly expires_at?: Instant;
}

export type TransactionType = 'adjustment' | 'charge' | 'fee' | 'top_up' | 'entitlement' | 'expiry';

/** Keyed by customer and transaction id. */
export interface TransactionRow extends Owned {
  readonly transaction_id: string;
  readonly type: TransactionType;
  readonly customer_id: string;
  readonly account_id: string;
  readonly asset: string;
  /** Signed: what the wallet account gained. */
  readonly amount: DecimalText;
  readonly balance_after: DecimalText;
  readonly postings: readonly Posting[];
  readonly reason?: string;
  readonly subject?: string;
  readonly description?: string;
  readonly metadata?: Metadata;
  readonly event_id?: string;
  readonly fee_id?: string;
  readonly top_up_id?: string;
  /** Of a charge: its worth in the reporting currency. A fee keeps its own. */
  readonly revenue?: DecimalText;
  /** Digest of the request, by which a retry is told from another use of its id. */
  readonly content?: string;
}

export type TopUpStatus = 'initiated' | 'processing' | 'completed' | 'failed' | 'expired';

export interface TopUpRow extends Owned {
  readonly customer_id: string;
  readonly amount: DecimalText;
  readonly currency: string;
  readonly status: TopUpStatus;
  readonly account_name: string;
  readonly asset: string;
  readonly exchange_rate: DecimalText;
  /** What is credited when it is paid, fixed at initiation. */
  readonly credit: DecimalText;
  readonly credit_expires_at?: Instant;
  readonly description?: string;
  readonly metadata?: Metadata;
  readonly return_url: string;
  readonly failure_url: string;
  readonly payment: PaymentSession;
}

/** Keyed like the wallet account that it tops up by itself. */
export interface AutoTopUpRow extends Owned {
  readonly customer_id: string;
  readonly account_id: string;
  /** In the asset of the account. */
  readonly threshold: DecimalText;
  /** What is paid each time, in the currency. */
  readonly amount: DecimalText;
  readonly currency: string;
  readonly return_url: string;
  readonly failure_url: string;
  /** Since when the balance has been below; absent while it is not. */
  readonly due_at?: Instant;
  /** Why it last came to nothing, and with which card: it rests until there is another. */
  readonly refused?: { readonly reason: string; readonly last4: string | undefined };
}

export interface PortalSessionRow extends Owned {
  readonly customer_id: string;
  readonly token: string;
  readonly return_url: string;
  readonly failure_url: string;
  readonly expires_at: Instant;
  /** Set once the link ran out, so that this falls due once. */
  readonly expired?: true;
}

/** Keyed by token: one opening of the portal. */
export interface PortalVisitRow extends Owned {
  readonly customer_id: string;
  readonly return_url?: string;
  readonly failure_url?: string;
  readonly expires_at: Instant;
}

export interface VendorRow extends Owned {
  readonly name: string;
  readonly external_id?: string;
}

export interface WebhookRow extends Owned {
  readonly url: string;
  readonly topics: readonly string[];
  readonly connect: boolean;
  readonly enabled: boolean;
  readonly secret: string;
  /** Secrets it was given before, which sign beside the present one until then; the newest first. */
  readonly retired_secrets?: readonly RetiredSecret[];
  readonly updated_at: Instant;
}

export interface RetiredSecret {
  readonly secret: string;
  readonly until: Instant;
}

/** One try to tell a destination of an event, and how it ended. */
export interface DeliveryAttempt {
  readonly destination_id: string;
  readonly at: Instant;
  /** Status answered; null when no answer came. */
  readonly status_code: number | null;
  /** What went wrong; null when it was acknowledged. */
  readonly error: string | null;
}

/**
 * One webhook event in the log of its owner, with those of the owner's destinations that it matched
 * when it happened. Keyed by owner and event id, as an event of a connected account may stand in the
 * platform's log too.
 */
export interface WebhookEventRow extends Owned {
  readonly event_id: string;
  /** The connected account it happened to, in the platform's log. */
  readonly account_id?: string;
  readonly topic: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The envelope as it is sent, byte for byte, at every attempt. */
  readonly body: string;
  readonly matched_destination_ids: readonly string[];
  readonly test: boolean;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly successful_at: Instant | null;
  readonly failed_at: Instant | null;
}

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed';

/**
 * What a delivery waits for: its turn among the first attempts of its destination, an instant of the
 * clock, or the next event of its destination, which goes first.
 */
export type DeliveryWait = 'turn' | 'clock' | 'successor';

/** Why a request was made. */
export type AttemptCause = 'first' | 'retry' | 'flush' | 'replay' | 'duplicate';

export type DisturbanceKind =
  | 'duplicate'
  | 'swap'
  | 'delay'
  | 'drop'
  | 'bad_signature'
  | 'stale_timestamp'
  | 'reserialised_body'
  | 'old_secret_only';

export type HeaderTexts = Readonly<Record<string, string>>;

export interface DeliveryRequest {
  readonly url: string;
  readonly headers: HeaderTexts;
  /** Where it was not the body of the event. */
  readonly body?: string;
}

export interface DeliveryResponse {
  readonly headers: HeaderTexts;
  readonly body: string;
  /** Whether there was more than was read or kept. */
  readonly truncated: boolean;
}

/** One request that was made, or should have been, and what came of it. */
export interface DeliveryExchange extends DeliveryAttempt {
  readonly cause: AttemptCause;
  readonly disturbances: readonly DisturbanceKind[];
  /** Of machine time. */
  readonly duration_ms: number;
  /** Null where nothing was sent. */
  readonly request: DeliveryRequest | null;
  /** Null where no answer came. */
  readonly response: DeliveryResponse | null;
}

/** One webhook event on its way to one destination. */
export interface DeliveryRow extends Owned {
  /** Key of the event in the log. */
  readonly webhook_event: string;
  readonly event_id: string;
  readonly topic: string;
  readonly destination_id: string;
  readonly status: DeliveryStatus;
  /** Absent once it is settled. */
  readonly waits_for?: DeliveryWait;
  /** Due instant of the next attempt; null once it is settled. */
  readonly next_attempt_at: Instant | null;
  /** How many attempts of the schedule were made. */
  readonly tries: number;
  /** What was done to it before its first attempt. */
  readonly disturbances: readonly DisturbanceKind[];
  /** Every request made, oldest first. */
  readonly exchanges: readonly DeliveryExchange[];
}

/** A rule that disturbs the next deliveries it fits, as often as `remaining` says. */
export interface DisturbanceRow extends Owned {
  readonly kind: DisturbanceKind;
  readonly count: number;
  readonly remaining: number;
  readonly destination_id?: string;
  readonly topic?: string;
  /** How much later, of a delay; how old, of a stale timestamp. */
  readonly seconds?: number;
}

/** That nothing is sent to a destination, or to none; keyed by destination id or `EVERY_DESTINATION`. */
export interface DeliveryPauseRow extends Row {
  readonly at: Instant;
}

export type WarningKind =
  | 'unpriced_asset'
  | 'unusable_volume'
  | 'unmatched_usage'
  | 'unknown_topic';

/** Something that needs a person's look; keyed by owner, kind and place so that it is listed once. */
export interface WarningRow extends Row {
  readonly owner: string;
  readonly kind: WarningKind;
  readonly message: string;
  readonly at: Instant;
  readonly event_id?: string;
  readonly field?: string;
}

/** Keyed by owner and kind: how many ids of that kind were given. */
export interface OrdinalRow extends Row {
  readonly last: number;
}
