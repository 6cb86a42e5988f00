import { fromMillis } from '../../domain/instant.ts';
import { sign } from '../signature.ts';
import type { ReceiverCheckId } from './receiver-checks.ts';

/**
 * The expected outcome of a request. `repeat` is accepted without effect. `either` is a trial. `as_before`
 * follows a trial: accepted if the trial was, else rejected with the same status.
 */
export type ReceiverOutcome = 'accept' | 'reject' | 'repeat' | 'either' | 'as_before';

export interface SuiteRequest {
  readonly about: string;
  readonly expected: ReceiverOutcome;
  readonly body: string;
  /** Value of the signature header, or null for a request without it. */
  readonly signature: string | null;
  /** Whether the body is sent in pieces, with a pause after each. */
  readonly slowly?: boolean;
}

/** The values that requests are built from. */
export interface SuiteContext {
  readonly secret: string;
  /** The receiver's current time. @units Unix seconds */
  readonly now: number;
  /** How far a timestamp that is rejected lies from now. @units seconds */
  readonly distance: number;
  /** @units bytes */
  readonly largeBody: number;
  /** Fields of `data`, so that events can name customers that the receiver knows. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Returns the next event number of this run, and 26 letters that are unique over all runs. */
  readonly nextEvent: () => { readonly ordinal: number; readonly id: string };
}

type Event = Readonly<Record<string, unknown>> & { readonly data: object };

/** The requests of each check. They are built when the check runs, so that their timestamps are current. */
export const RECEIVER_SUITE: {
  readonly [Id in ReceiverCheckId]: (context: SuiteContext) => readonly SuiteRequest[];
} = {
  valid: (context) => [accepted(context, 'genuine', compact(anEvent(context)))],

  missing_signature: (context) => [
    rejected('no signature header', compact(anEvent(context)), null),
  ],

  wrong_signature: (context) => {
    const forms: readonly (readonly [string, (header: string) => string])[] = [
      ['last digit of the signature changed', changeLast],
      ['half of the signature', (header) => header.slice(0, -32)],
      ['empty signature', (header) => header.slice(0, -64)],
    ];
    const foreign = compact(anEvent(context));
    return [
      rejected('signed with another secret', foreign, signed(context, foreign, [OTHER_SECRET])),
      ...forms.map(([about, spoil]) => {
        const body = compact(anEvent(context));
        return rejected(about, body, spoil(signed(context, body)));
      }),
    ];
  },

  changed_byte: (context) => {
    const event = anEvent(context);
    const intact = accepted(context, 'genuine', compact(event));
    const changed = compact({ ...event, id: changeLast(String(event['id'])) });
    return [intact, rejected('last byte of the id changed', changed, intact.signature)];
  },

  reserialised: (context) => {
    const event = anEvent(context);
    const header = signed(context, compact(event));
    return [
      rejected('signed, then written again with indents', JSON.stringify(event, null, 2), header),
      accepted(context, 'genuine, with line breaks and an escape', unusual(anEvent(context))),
    ];
  },

  stale: (context) => [dated(context, -context.distance)],

  future: (context) => [dated(context, context.distance)],

  duplicate_id: (context) => {
    const body = compact(anEvent(context));
    const earlier = { ...context, now: context.now - 1 };
    return [
      accepted(earlier, 'first time', body),
      { ...accepted(context, 'the same event again, signed anew', body), expected: 'repeat' },
    ];
  },

  out_of_order: (context) => {
    const [earlier, later] = [compact(anEvent(context)), compact(anEvent(context))];
    return [
      accepted(context, 'the later event', later),
      accepted(context, 'the earlier event', earlier),
    ];
  },

  second_signature: (context) => {
    const body = compact(anEvent(context));
    const signature = signed(context, body, [OTHER_SECRET, context.secret]);
    return [
      { about: 'the second of two signatures is right', expected: 'accept', body, signature },
    ];
  },

  upper_case_hex: (context) => {
    const body = compact(anEvent(context));
    const header = signed(context, body);
    const raised = header.slice(0, -64) + header.slice(-64).toUpperCase();
    return [rejected('the right signature in upper-case hex', body, raised)];
  },

  unknown_field: (context) => {
    const event = anEvent(context);
    const data = { ...event.data, added_later: { of: ['any', 'form'] } };
    const body = compact({ ...event, data, added_later: true });
    return [accepted(context, 'a field more in the envelope and in its data', body)];
  },

  unknown_topic: (context) => {
    const body = compact({ ...anEvent(context), type: 'emulator.unknown_topic', data: {} });
    return [accepted(context, 'type emulator.unknown_topic', body)];
  },

  // Spaces make the body large, because no field allows so much text. A receiver that rejects a single space
  // does not fail for the size.
  large_body: (context) => {
    const [small, large] = [compact(anEvent(context)), compact(anEvent(context))];
    const spaces = ' '.repeat(Math.max(context.largeBody - large.length, 1));
    return [
      { ...accepted(context, 'a body that ends with a space', `${small} `), expected: 'either' },
      {
        ...accepted(context, `a body of ${large.length + spaces.length} bytes`, large + spaces),
        expected: 'as_before',
      },
    ];
  },

  // Multi-byte letters are in an unknown field, where no receiver validates them. A receiver that rejects the
  // field does not fail here as well.
  slow_reading: (context) => {
    const body = compact(anEvent(context));
    const [whole, pieces] = [lettered(anEvent(context)), lettered(anEvent(context))];
    return [
      { ...accepted(context, 'in pieces', body), slowly: true },
      { ...accepted(context, 'with letters of several bytes, whole', whole), expected: 'either' },
      {
        ...accepted(context, 'with letters of several bytes, in pieces', pieces),
        expected: 'as_before',
        slowly: true,
      },
    ];
  },
};

const OTHER_SECRET = 'whsec_c2VjcmV0LW9mLWFub3RoZXItZGVzdGluYXRpb24tMDA';

/** A normal event, created after the events before it. */
function anEvent({ now, data, nextEvent }: SuiteContext): Event {
  const { ordinal, id } = nextEvent();
  const created = fromMillis(Math.floor(now) * 1000 + ordinal);
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

function accepted(context: SuiteContext, about: string, body: string): SuiteRequest {
  return { about, expected: 'accept', body, signature: signed(context, body) };
}

function rejected(about: string, body: string, signature: string | null): SuiteRequest {
  return { about, expected: 'reject', body, signature };
}

/** A genuine request, sent at another time. */
function dated(context: SuiteContext, seconds: number): SuiteRequest {
  const body = compact(anEvent(context));
  const moment = { ...context, now: context.now + seconds };
  const about = `genuine, ${Math.abs(seconds)} seconds ${seconds < 0 ? 'ago' : 'ahead'}`;
  return rejected(about, body, signed(moment, body));
}

function signed(
  { secret, now }: SuiteContext,
  body: string,
  secrets: readonly string[] = [secret],
): string {
  return sign(body, secrets, Math.floor(now));
}

const compact = (event: Event): string => JSON.stringify(event);

const lettered = (event: Event): string =>
  compact({ ...event, data: { ...event.data, name: '株式会社'.repeat(20) } });

/** The same event as another program could write it: equal JSON, different bytes. */
const unusual = (event: Event): string =>
  `${JSON.stringify(event, null, 1).replace('subscription', 'subscr\\u0069ption')}\n`;

/** Replaces the last letter or digit by another valid one. */
const changeLast = (text: string): string => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
