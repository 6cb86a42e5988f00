import {
  changeLast,
  OTHER_SECRET,
  type ReceiverRequest,
  type RequestMaker,
  unusual,
} from './requests.ts';

/** What a check expects. `should_…` is advice: it still fails unless it is skipped. */
export type Expectation = 'must_accept' | 'must_reject' | 'should_reject' | 'should_be_idempotent';

interface ReceiverCheck {
  readonly title: string;
  readonly expectation: Expectation;
  /** Builds its requests when it runs, so that their timestamps are current. */
  readonly requests: (make: RequestMaker) => readonly ReceiverRequest[];
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
    requests: (make) => [make.accepted('genuine')],
  },
  missing_signature: {
    title: 'rejects a delivery without signature header',
    expectation: 'must_reject',
    requests: (make) => [make.rejected('no signature header', make.body(), null)],
  },
  wrong_signature: {
    title: 'rejects a signature that is not that of its secret, in whole and to the last digit',
    expectation: 'must_reject',
    requests: (make) => {
      const spoiled = (about: string, spoil: (header: string) => string) => {
        const body = make.body();
        return make.rejected(about, body, spoil(make.sign(body)));
      };
      const foreign = make.body();
      return [
        make.rejected('signed with another secret', foreign, make.sign(foreign, [OTHER_SECRET])),
        spoiled('last digit of the signature changed', changeLast),
        spoiled('half of the signature', (header) => header.slice(0, -32)),
        spoiled('empty signature', (header) => header.slice(0, -64)),
      ];
    },
  },
  changed_byte: {
    title: 'rejects a body of which one byte was changed, under a header it has accepted before',
    expectation: 'must_reject',
    requests: (make) => {
      const event = make.event();
      const intact = make.accepted('genuine', JSON.stringify(event));
      const changed = JSON.stringify({ ...event, id: changeLast(String(event['id'])) });
      return [intact, make.rejected('last byte of the id changed', changed, intact.signature)];
    },
  },
  reserialised: {
    title: 'goes by the raw bytes: rejects JSON written again, accepts JSON in an unusual form',
    expectation: 'must_reject',
    requests: (make) => {
      const event = make.event();
      const indented = JSON.stringify(event, null, 2);
      const header = make.sign(JSON.stringify(event));
      return [
        make.rejected('signed, then written again with indents', indented, header),
        make.accepted('genuine, with line breaks and an escape', unusual(make.event())),
      ];
    },
  },
  stale: {
    title: 'rejects a genuine delivery of long ago',
    expectation: 'should_reject',
    requests: (make) => [make.dated(-DISTANCE)],
  },
  future: {
    title: 'rejects a genuine delivery from far ahead',
    expectation: 'should_reject',
    requests: (make) => [make.dated(DISTANCE)],
  },
  duplicate_id: {
    title: 'accepts an event that comes a second time, and does nothing more',
    expectation: 'should_be_idempotent',
    requests: (make) => {
      const body = make.body();
      const again = make.accepted('the same event again, with a new signature', body);
      return [make.accepted('first time', body, -1), { ...again, expected: 'repeat' }];
    },
  },
  out_of_order: {
    title: 'accepts an event that comes after a later one',
    expectation: 'must_accept',
    requests: (make) => {
      const earlier = make.body();
      return [make.accepted('the later event'), make.accepted('the earlier event', earlier)];
    },
  },
  second_signature: {
    title: 'accepts two signatures of which the second is right, as while a secret is rotated',
    expectation: 'must_accept',
    requests: (make) => {
      const genuine = make.accepted('the second of two signatures is right');
      return [{ ...genuine, signature: make.sign(genuine.body, [OTHER_SECRET, make.secret]) }];
    },
  },
  upper_case_hex: {
    title: 'compares signatures as text: rejects the right one in upper-case hex',
    expectation: 'should_reject',
    requests: (make) => {
      const body = make.body();
      const header = make.sign(body);
      const raised = header.slice(0, -64) + header.slice(-64).toUpperCase();
      return [make.rejected('the right signature in upper-case hex', body, raised)];
    },
  },
  unknown_field: {
    title: 'accepts fields that it does not know',
    expectation: 'must_accept',
    requests: (make) => {
      const event = make.event();
      const data = { ...event.data, added_later: { of: ['any', 'form'] } };
      const body = JSON.stringify({ ...event, data, added_later: true });
      return [make.accepted('a field more in the envelope and in its data', body)];
    },
  },
  unknown_topic: {
    title: 'accepts, and leaves alone, an event of a type that it does not know',
    expectation: 'must_accept',
    requests: (make) => {
      const event = { ...make.event(), type: 'emulator.unknown_topic', data: {} };
      return [make.accepted('type emulator.unknown_topic', JSON.stringify(event))];
    },
  },
  // An unknown field holds the text, as no other allows so much. A receiver that rejects the field fails here as well.
  large_body: {
    title: 'accepts a large body',
    expectation: 'must_accept',
    requests: (make) => {
      const body = make.bodyWith('a'.repeat(LARGE_BODY));
      return [make.accepted(`a body of ${body.length} bytes`, body)];
    },
  },
  slow_reading: {
    title: 'accepts a body that arrives slowly, in pieces that split a character',
    expectation: 'must_accept',
    requests: (make) => {
      const lettered = make.bodyWith('株式会社'.repeat(20));
      const pieces = make.accepted('in pieces, with letters of several bytes', lettered);
      return [{ ...pieces, isSlow: true }];
    },
  },
} as const satisfies Readonly<Record<string, ReceiverCheck>>;

export type ReceiverCheckId = keyof typeof RECEIVER_CHECKS;

export const RECEIVER_CHECK_IDS = Object.keys(RECEIVER_CHECKS) as readonly ReceiverCheckId[];
