import { signatureHeader } from '../kit/target/signature.ts';

/**
 * The expected outcome of a request. `repeat` is accepted without effect. `either` is a trial. `as_before`
 * follows a trial: accepted if the trial was, else rejected with the same status.
 */
export type ReceiverOutcome = 'accept' | 'reject' | 'repeat' | 'either' | 'as_before';

export interface ReceiverRequest {
  readonly about: string;
  readonly expected: ReceiverOutcome;
  readonly body: string;
  /** Value of the signature header, or null for a request without it. */
  readonly signature: string | null;
  /** Whether the body is sent in pieces, with a pause after each. */
  readonly isSlow?: boolean;
}

/** The values that requests are built from. */
export interface ReceiverContext {
  readonly secret: string;
  /** The receiver's current time. @units Unix seconds */
  readonly now: number;
  /** Fields of `data`, so that events can name customers that the receiver knows. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Returns the next event number of this run, and 26 letters that are unique over all runs. */
  readonly nextEvent: () => { readonly ordinal: number; readonly id: string };
}

type Event = Readonly<Record<string, unknown>> & { readonly data: object };

/** The secret of another destination. */
export const OTHER_SECRET = 'whsec_c2VjcmV0LW9mLWFub3RoZXItZGVzdGluYXRpb24tMDA';

/** A normal event, created after the events before it. */
export function anEvent({ now, data, nextEvent }: ReceiverContext): Event {
  const { ordinal, id } = nextEvent();
  const created = new Date(Math.floor(now) * 1000 + ordinal).toISOString();
  return {
    id: `evt_${id}`,
    type: 'subscription.activated',
    created,
    live_mode: false,
    data: {
      customer_id: `cust_${id}`,
      subscription_id: `sub_${id}`,
      occurred_at: created,
      ...data,
    },
  };
}

export function accepted(context: ReceiverContext, about: string, body: string): ReceiverRequest {
  return { about, expected: 'accept', body, signature: signed(context, body) };
}

export function rejected(about: string, body: string, signature: string | null): ReceiverRequest {
  return { about, expected: 'reject', body, signature };
}

/** A genuine request, sent at another time. */
export function dated(context: ReceiverContext, seconds: number): ReceiverRequest {
  const body = compact(anEvent(context));
  const moment = { ...context, now: context.now + seconds };
  const about = `genuine, ${Math.abs(seconds)} seconds ${seconds < 0 ? 'ago' : 'ahead'}`;
  return rejected(about, body, signed(moment, body));
}

export function signed(
  { secret, now }: ReceiverContext,
  body: string,
  secrets: readonly string[] = [secret],
): string {
  return signatureHeader(body, secrets, Math.floor(now));
}

export const compact = (event: Event): string => JSON.stringify(event);

export const lettered = (event: Event): string =>
  compact({ ...event, data: { ...event.data, name: '株式会社'.repeat(20) } });

/** The same event as another program could write it: equal JSON, different bytes. */
export const unusual = (event: Event): string =>
  `${JSON.stringify(event, null, 1).replace('subscription', 'subscr\\u0069ption')}\n`;

/** Replaces the last letter or digit by another valid one. */
export const changeLast = (text: string): string =>
  text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
