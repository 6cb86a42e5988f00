/** What a check expects. `should_…` is advice: it still fails unless it is skipped. */
export type Expectation = 'must_accept' | 'must_reject' | 'should_reject' | 'should_be_idempotent';

const checkOf = (expectation: Expectation) => (title: string) => ({ title, expectation });
const mustAccept = checkOf('must_accept');
const mustReject = checkOf('must_reject');
const shouldReject = checkOf('should_reject');
const shouldBeIdempotent = checkOf('should_be_idempotent');

/**
 * The checks of a webhook receiver, in the order they run. `should_…` is advice: the specification recommends
 * it or does not require it.
 *
 * @source specification, Signature 2 to 4, and Webhook event delivery
 * @assumes A-1209
 */
export const RECEIVER_CHECKS = {
  valid: mustAccept('accepts a genuine delivery'),
  missing_signature: mustReject('refuses a delivery without signature header'),
  wrong_signature: mustReject(
    'refuses a signature that is not that of its secret, in whole and to the last digit',
  ),
  changed_byte: mustReject(
    'refuses a body of which one byte was changed, under a header it has accepted before',
  ),
  reserialised: mustReject(
    'goes by the raw bytes: refuses JSON written again, accepts JSON in an unusual form',
  ),
  stale: shouldReject('refuses a genuine delivery of long ago'),
  future: shouldReject('refuses a genuine delivery from far ahead'),
  duplicate_id: shouldBeIdempotent(
    'accepts an event that comes a second time, and does nothing more',
  ),
  out_of_order: mustAccept('accepts an event that comes after a later one'),
  second_signature: mustAccept(
    'accepts two signatures of which the second is right, as while a secret is rotated',
  ),
  upper_case_hex: shouldReject(
    'compares signatures as text: refuses the right one in upper-case hex',
  ),
  unknown_field: mustAccept('accepts fields that it does not know'),
  unknown_topic: mustAccept('accepts, and leaves alone, an event of a type that it does not know'),
  large_body: mustAccept('accepts a large body'),
  slow_reading: mustAccept('accepts a body that arrives slowly, in pieces that split a character'),
};

export type ReceiverCheckId = keyof typeof RECEIVER_CHECKS;

export const RECEIVER_CHECK_IDS = Object.keys(RECEIVER_CHECKS) as readonly ReceiverCheckId[];
