import { signatureHeader } from '../kit/target/signature.ts';

/** The expected outcome of a request. `repeat` is accepted without effect. */
export type ReceiverOutcome = 'accept' | 'reject' | 'repeat';

export interface ReceiverRequest {
  readonly about: string;
  readonly expected: ReceiverOutcome;
  readonly body: string;
  /** Value of the signature header, or null for a request without it. */
  readonly signature: string | null;
  /** Whether the body is sent in pieces, with a pause after each. */
  readonly isSlow?: boolean;
}

type Event = Readonly<Record<string, unknown>> & { readonly data: object };

/** The secret of another destination. */
export const OTHER_SECRET = 'whsec_c2VjcmV0LW9mLWFub3RoZXItZGVzdGluYXRpb24tMDA';

/** Makes the requests of a check, at the time when it runs. */
export class RequestMaker {
  /**
   * @param now the receiver's current time, in Unix seconds
   * @param data fields of `data`, so that events can name customers that the receiver knows
   * @param nextEvent returns the next event number of this run, and 26 letters that are unique over all runs
   */
  constructor(
    readonly secret: string,
    private readonly now: number,
    private readonly data: Readonly<Record<string, unknown>>,
    private readonly nextEvent: () => { readonly ordinal: number; readonly id: string },
  ) {}

  /** A normal event, created after the events before it. */
  event(): Event {
    const { ordinal, id } = this.nextEvent();
    const created = new Date(Math.floor(this.now) * 1000 + ordinal).toISOString();
    return {
      id: `evt_${id}`,
      type: 'subscription.activated',
      created,
      live_mode: false,
      data: {
        customer_id: `cust_${id}`,
        subscription_id: `sub_${id}`,
        occurred_at: created,
        ...this.data,
      },
    };
  }

  /** The body of a normal event. */
  body(): string {
    return JSON.stringify(this.event());
  }

  /** The body of a normal event with a text in a field that no receiver knows. */
  bodyWith(text: string): string {
    const event = this.event();
    return JSON.stringify({ ...event, data: { ...event.data, added_later: text } });
  }

  /** The signature header of a body, sent some seconds from now. */
  sign(body: string, secrets: readonly string[] = [this.secret], seconds = 0): string {
    return signatureHeader(body, secrets, Math.floor(this.now + seconds));
  }

  accepted(about: string, body = this.body(), seconds = 0): ReceiverRequest {
    return { about, expected: 'accept', body, signature: this.sign(body, undefined, seconds) };
  }

  rejected(about: string, body: string, signature: string | null): ReceiverRequest {
    return { about, expected: 'reject', body, signature };
  }

  /** A genuine request, sent at another time. */
  dated(seconds: number): ReceiverRequest {
    const about = `genuine, ${Math.abs(seconds)} seconds ${seconds < 0 ? 'ago' : 'ahead'}`;
    return { ...this.accepted(about, this.body(), seconds), expected: 'reject' };
  }
}

/** The same event as another program could write it: equal JSON, different bytes. */
export const unusual = (event: Event): string =>
  `${JSON.stringify(event, null, 1).replace('subscription', 'subscr\\u0069ption')}\n`;

/** Replaces the last letter or digit by another valid one. */
export const changeLast = (text: string): string =>
  text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
