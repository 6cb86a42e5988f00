import {
  accepted,
  anEvent,
  changeLast,
  compact,
  dated,
  lettered,
  OTHER_SECRET,
  type ReceiverContext,
  type ReceiverRequest,
  rejected,
  signed,
  unusual,
} from './requests.ts';

/** What a check expects. `should_…` is advice: it still fails unless it is skipped. */
export type Expectation = 'must_accept' | 'must_reject' | 'should_reject' | 'should_be_idempotent';

interface ReceiverCheck {
  readonly title: string;
  readonly expectation: Expectation;
  /** Builds its requests when it runs, so that their timestamps are current. */
  readonly requests: (context: ReceiverContext) => readonly ReceiverRequest[];
}

/** How far the timestamps of stale and future deliveries lie from now. @units seconds */
const DISTANCE = 3_600;
/** @units bytes */
const LARGE_BODY = 256 * 1024;

/**
 * The checks of a webhook receiver, in the order they run. `should_…` is advice: the specification recommends
 * it or does not require it.
 *
 * @source specification, Signature 2 to 4, and Webhook event delivery
 * @assumes A-1209
 */
export const RECEIVER_CHECKS = {
  valid: {
    title: 'accepts a genuine delivery',
    expectation: 'must_accept',
    requests: (context) => [accepted(context, 'genuine', compact(anEvent(context)))],
  },
  missing_signature: {
    title: 'rejects a delivery without signature header',
    expectation: 'must_reject',
    requests: (context) => [rejected('no signature header', compact(anEvent(context)), null)],
  },
  wrong_signature: {
    title: 'rejects a signature that is not that of its secret, in whole and to the last digit',
    expectation: 'must_reject',
    requests: (context) => {
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
  },
  changed_byte: {
    title: 'rejects a body of which one byte was changed, under a header it has accepted before',
    expectation: 'must_reject',
    requests: (context) => {
      const event = anEvent(context);
      const intact = accepted(context, 'genuine', compact(event));
      const changed = compact({ ...event, id: changeLast(String(event['id'])) });
      return [intact, rejected('last byte of the id changed', changed, intact.signature)];
    },
  },
  reserialised: {
    title: 'goes by the raw bytes: rejects JSON written again, accepts JSON in an unusual form',
    expectation: 'must_reject',
    requests: (context) => {
      const event = anEvent(context);
      const header = signed(context, compact(event));
      return [
        rejected('signed, then written again with indents', JSON.stringify(event, null, 2), header),
        accepted(context, 'genuine, with line breaks and an escape', unusual(anEvent(context))),
      ];
    },
  },
  stale: {
    title: 'rejects a genuine delivery of long ago',
    expectation: 'should_reject',
    requests: (context) => [dated(context, -DISTANCE)],
  },
  future: {
    title: 'rejects a genuine delivery from far ahead',
    expectation: 'should_reject',
    requests: (context) => [dated(context, DISTANCE)],
  },
  duplicate_id: {
    title: 'accepts an event that comes a second time, and does nothing more',
    expectation: 'should_be_idempotent',
    requests: (context) => {
      const body = compact(anEvent(context));
      const earlier = { ...context, now: context.now - 1 };
      return [
        accepted(earlier, 'first time', body),
        {
          ...accepted(context, 'the same event again, with a new signature', body),
          expected: 'repeat',
        },
      ];
    },
  },
  out_of_order: {
    title: 'accepts an event that comes after a later one',
    expectation: 'must_accept',
    requests: (context) => {
      const [earlier, later] = [compact(anEvent(context)), compact(anEvent(context))];
      return [
        accepted(context, 'the later event', later),
        accepted(context, 'the earlier event', earlier),
      ];
    },
  },
  second_signature: {
    title: 'accepts two signatures of which the second is right, as while a secret is rotated',
    expectation: 'must_accept',
    requests: (context) => {
      const body = compact(anEvent(context));
      const signature = signed(context, body, [OTHER_SECRET, context.secret]);
      return [
        { about: 'the second of two signatures is right', expected: 'accept', body, signature },
      ];
    },
  },
  upper_case_hex: {
    title: 'compares signatures as text: rejects the right one in upper-case hex',
    expectation: 'should_reject',
    requests: (context) => {
      const body = compact(anEvent(context));
      const header = signed(context, body);
      const raised = header.slice(0, -64) + header.slice(-64).toUpperCase();
      return [rejected('the right signature in upper-case hex', body, raised)];
    },
  },
  unknown_field: {
    title: 'accepts fields that it does not know',
    expectation: 'must_accept',
    requests: (context) => {
      const event = anEvent(context);
      const data = { ...event.data, added_later: { of: ['any', 'form'] } };
      const body = compact({ ...event, data, added_later: true });
      return [accepted(context, 'a field more in the envelope and in its data', body)];
    },
  },
  unknown_topic: {
    title: 'accepts, and leaves alone, an event of a type that it does not know',
    expectation: 'must_accept',
    requests: (context) => {
      const body = compact({ ...anEvent(context), type: 'emulator.unknown_topic', data: {} });
      return [accepted(context, 'type emulator.unknown_topic', body)];
    },
  },
  // Spaces make the body large, because no field allows so much text. A receiver that rejects a single space
  // does not fail for the size.
  large_body: {
    title: 'accepts a large body',
    expectation: 'must_accept',
    requests: (context) => {
      const [small, large] = [compact(anEvent(context)), compact(anEvent(context))];
      const spaces = ' '.repeat(Math.max(LARGE_BODY - large.length, 1));
      return [
        { ...accepted(context, 'a body that ends with a space', `${small} `), expected: 'either' },
        {
          ...accepted(context, `a body of ${large.length + spaces.length} bytes`, large + spaces),
          expected: 'as_before',
        },
      ];
    },
  },
  // Multi-byte letters are in an unknown field, where no receiver validates them. A receiver that rejects the
  // field does not fail here as well.
  slow_reading: {
    title: 'accepts a body that arrives slowly, in pieces that split a character',
    expectation: 'must_accept',
    requests: (context) => {
      const body = compact(anEvent(context));
      const [whole, pieces] = [lettered(anEvent(context)), lettered(anEvent(context))];
      return [
        { ...accepted(context, 'in pieces', body), isSlow: true },
        { ...accepted(context, 'with letters of several bytes, whole', whole), expected: 'either' },
        {
          ...accepted(context, 'with letters of several bytes, in pieces', pieces),
          expected: 'as_before',
          isSlow: true,
        },
      ];
    },
  },
} as const satisfies Readonly<Record<string, ReceiverCheck>>;

export type ReceiverCheckId = keyof typeof RECEIVER_CHECKS;

export const RECEIVER_CHECK_IDS = Object.keys(RECEIVER_CHECKS) as readonly ReceiverCheckId[];
