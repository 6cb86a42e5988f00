import type { components } from '../../spec/control.d.ts';

/**
 * What a receiver of webhooks is held to, in the order it is asked. `should_…` is advice: the specification
 * recommends it, or says less than it takes to insist.
 *
 * @source specification, Signature 2 to 4, and Webhook event delivery
 * @assumes A-1209
 */
export const RECEIVER_CHECKS = {
  valid: {
    title: 'accepts a genuine delivery',
    expectation: 'must_accept',
  },
  missing_signature: {
    title: 'refuses a delivery without signature header',
    expectation: 'must_reject',
  },
  wrong_signature: {
    title: 'refuses a signature that is not that of its secret, in whole and to the last digit',
    expectation: 'must_reject',
  },
  changed_byte: {
    title: 'refuses a body of which one byte was changed, under a header it has accepted before',
    expectation: 'must_reject',
  },
  reserialised: {
    title: 'goes by the raw bytes: refuses JSON written again, accepts JSON in an unusual form',
    expectation: 'must_reject',
  },
  stale: {
    title: 'refuses a genuine delivery of long ago',
    expectation: 'should_reject',
  },
  future: {
    title: 'refuses a genuine delivery from far ahead',
    expectation: 'should_reject',
  },
  duplicate_id: {
    title: 'accepts an event that comes a second time, and does nothing more',
    expectation: 'should_be_idempotent',
  },
  out_of_order: {
    title: 'accepts an event that comes after a later one',
    expectation: 'must_accept',
  },
  second_signature: {
    title: 'accepts two signatures of which the second is right, as while a secret is rotated',
    expectation: 'must_accept',
  },
  upper_case_hex: {
    title: 'compares signatures as text: refuses the right one in upper-case hex',
    expectation: 'should_reject',
  },
  unknown_field: {
    title: 'accepts fields that it does not know',
    expectation: 'must_accept',
  },
  unknown_topic: {
    title: 'accepts, and leaves alone, an event of a type that it does not know',
    expectation: 'must_accept',
  },
  large_body: {
    title: 'accepts a large body',
    expectation: 'must_accept',
  },
  slow_reading: {
    title: 'accepts a body that arrives slowly, in pieces that split a character',
    expectation: 'must_accept',
  },
} as const satisfies Readonly<Record<string, ReceiverCheck>>;

export interface ReceiverCheck {
  readonly title: string;
  readonly expectation: components['schemas']['CheckedClause']['expectation'];
}

export type ReceiverCheckId = keyof typeof RECEIVER_CHECKS;

export const RECEIVER_CHECK_IDS = Object.keys(RECEIVER_CHECKS) as readonly ReceiverCheckId[];
