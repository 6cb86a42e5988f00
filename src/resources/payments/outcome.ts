import type { components } from '../../spec/control.d.ts';
import type {
  PaymentMethod,
  PaymentSession,
  SubscriptionRow,
  TopUpRow,
} from '../../store/records.ts';

/** The result of a hosted payment, from its page, the portal or the control interface. */
export type PaymentOutcome =
  | { readonly outcome: 'succeeded' | 'processing'; readonly method?: PaymentMethod }
  | { readonly outcome: 'failed'; readonly reason?: string; readonly method?: PaymentMethod }
  | { readonly outcome: 'abandoned' };

/** The settled payment, as the control interface returns it. */
export type SettledPayment = components['schemas']['SettledPayment'];

/** What a hosted payment pays: a top-up, or the outstanding fee of a subscription. */
export interface Payable {
  readonly row: TopUpRow | SubscriptionRow;
  /** Whether it can be paid, waits for the money, or is paid; otherwise no payment or no such link is open. */
  readonly state: 'open' | 'processing' | 'paid' | 'none' | 'ended';
  /** Each of these stores the new state, and returns the changed row. */
  succeed(method: PaymentMethod): TopUpRow | SubscriptionRow;
  process(session: PaymentSession): TopUpRow | SubscriptionRow;
  fail(session: PaymentSession): TopUpRow | SubscriptionRow;
  abandon(): TopUpRow | SubscriptionRow;
}
