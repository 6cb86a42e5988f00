import type { SignatureFault } from '../src/webhooks/verify-signature.ts';

/**
 * The test vectors of `spec/webhook-vectors.json`. Their signatures are literals, worked out by another
 * program than ours, for each body in a file and each secret:
 *
 *     { printf '1768478400.'; cat body; } | openssl dgst -sha256 -hmac whsec_…
 */
export interface Vector {
  readonly name: string;
  readonly about: string;
  readonly secrets: readonly string[];
  /** Unix seconds that the receiver holds for now. */
  readonly now: number;
  readonly tolerance_seconds: number;
  /** The signature header as it arrives; null where there is none. */
  readonly header: string | null;
  /** The body for reading; null where its bytes are no UTF-8. */
  readonly body_text: string | null;
  /** The body as it arrives. */
  readonly body_base64: string;
  readonly valid: boolean;
  readonly reason: SignatureFault | null;
}

const FIRST = 'whsec_m3Vt0pQ2xW9aLr5yKc8dHf1uJ6bNz7sEg4iXoTqYvRk';
const SECOND = 'whsec_Zk8rQ1wE5tY9uI3oP7aS2dF6gH0jK4lX8cV2bN5mA1q';

/** 2026-01-15T12:00:00Z */
const SENT = 1_768_478_400;

const PLAIN =
  '{"id":"evt_1","type":"subscription.activated","created":"2026-01-15T12:00:00.000Z",' +
  '"live_mode":false,"data":{"customer_id":"cust_1","subscription_id":"sub_1",' +
  '"occurred_at":"2026-01-15T12:00:00.000Z"}}';
const PLAIN_BY_FIRST = '97e545003d5b84a76e11e0c88bba64995ab6723e24f6ee757e9dbd564f3d5836';
const PLAIN_BY_SECOND = 'ed6ec578e07b256a47ff6a439b17c79873ef36b02f06bca5dba0c9b8905aeffe';
/** Over `1768478401.` and the body. */
const PLAIN_A_SECOND_LATER = 'dfce31d6f5bbe7b202aa6666213b257e8791b41c7680d8ae711c50393b94117e';
/** Over the body alone, without the moment. */
const PLAIN_WITHOUT_MOMENT = '759329262b2e37505b86df4aa9bd7ade9383c4bebfb533e461f49771f701e91d';
/** The bytes of the right one in base 64, as other services write it. */
const PLAIN_IN_BASE64 = 'l+VFAD1bhKduEeDIi7pkmVq2cj4k9u51fp29Vk89WDY=';

const SPACED =
  '{"id": "evt_1", "type": "subscription.activated", "created": "2026-01-15T12:00:00.000Z", ' +
  '"live_mode": false, "data": {"customer_id": "cust_1", "subscription_id": "sub_1", ' +
  '"occurred_at": "2026-01-15T12:00:00.000Z"}}';
const SPACED_BY_FIRST = '38b4b2b651ab7d22e302327c944c7b47851c0d13b6e9a2092d3977cda50929d2';

const UNICODE =
  '{"id":"evt_2","type":"subscription.activated","data":{"customer_name":' +
  '"Zoë Ångström 株式会社 🧾","note":"caf\\u00e9 \\/ 1.0"}}';
const UNICODE_BY_FIRST = 'a93d21b76935af7dd2e64e9481e33f20932ccc3050b5b28fe20ba276d5e7df8d';

const LINE = '{"id":"evt_4"}\n';
const LINE_BY_FIRST = '623c1404b888c33d90ffa3055a6dd0ec4db3613f39be2a556f0bdd36cbeb001e';

/** `{"id":"evt_3","data":"` FF FE 00 0D 0A `"}` */
const BYTES = Buffer.from('eyJpZCI6ImV2dF8zIiwiZGF0YSI6Iv/+AA0KIn0=', 'base64');
const BYTES_BY_FIRST = '8153874e7c2f07e5c28ab39aea576d913ac8c40360c31d8ae5a4d986c33ca69e';

const EMPTY_BY_FIRST = 'd3bd43390c05dd0c3f8cf65592f9ff03b0b90c9327479bb313024415b120e80a';

const HEADER = `t=${SENT},v0=${PLAIN_BY_FIRST}`;

interface Case {
  readonly header?: string | null;
  readonly body?: string | Buffer;
  readonly secrets?: readonly string[];
  readonly now?: number;
  readonly reason?: SignatureFault;
}

export const VECTORS: readonly Vector[] = [
  vector('valid', 'Genuine, received at once', {}),
  vector('several_signatures_first', 'The first of two signatures is right', {
    header: `t=${SENT},v0=${PLAIN_BY_FIRST},${PLAIN_BY_SECOND}`,
  }),
  vector('several_signatures_second', 'The second of two signatures is right', {
    header: `t=${SENT},v0=${PLAIN_BY_FIRST},${PLAIN_BY_SECOND}`,
    secrets: [SECOND],
  }),
  vector('repeated_v0', 'Each signature under a v0 of its own', {
    header: `t=${SENT},v0=${PLAIN_BY_SECOND},v0=${PLAIN_BY_FIRST}`,
  }),
  vector('several_secrets', 'The receiver holds the old secret beside the new one', {
    secrets: [SECOND, FIRST],
  }),
  vector('oldest_accepted', 'As old as the tolerance allows', { now: SENT + 300 }),
  vector('furthest_accepted', 'As far ahead as the tolerance allows', { now: SENT - 300 }),
  vector('spaces', 'A proxy added spaces around the parts', {
    header: ` t=${SENT} , v0=${PLAIN_BY_SECOND} , ${PLAIN_BY_FIRST} `,
  }),
  vector('other_order', 'The timestamp stands last', { header: `v0=${PLAIN_BY_FIRST},t=${SENT}` }),
  vector('other_scheme', 'A scheme that the receiver does not know stands beside v0', {
    header: `t=${SENT},v1=abc,def,v0=${PLAIN_BY_FIRST}`,
  }),
  vector('unicode_body', 'Letters of several bytes, escapes and 1.0', {
    body: UNICODE,
    header: `t=${SENT},v0=${UNICODE_BY_FIRST}`,
  }),
  vector('line_break_at_end', 'The body ends with a line break, which is part of it', {
    body: LINE,
    header: `t=${SENT},v0=${LINE_BY_FIRST}`,
  }),
  vector('bytes_body', 'Bytes that are no UTF-8', {
    body: BYTES,
    header: `t=${SENT},v0=${BYTES_BY_FIRST}`,
  }),
  vector('empty_body', 'No body at all', { body: '', header: `t=${SENT},v0=${EMPTY_BY_FIRST}` }),

  vector('stale', 'Genuine, and a second older than the tolerance', {
    now: SENT + 301,
    reason: 'stale',
  }),
  vector('future', 'Genuine, and a second further ahead than the tolerance', {
    now: SENT - 301,
    reason: 'future',
  }),
  vector('byte_changed', 'One byte of the body was changed', {
    body: PLAIN.replace('cust_1', 'cust_2'),
    reason: 'mismatch',
  }),
  vector('reserialised', 'The body was read and written again', {
    body: SPACED,
    reason: 'mismatch',
  }),
  vector('reserialised_signature', 'The signature is that of the body written again', {
    header: `t=${SENT},v0=${SPACED_BY_FIRST}`,
    reason: 'mismatch',
  }),
  vector('line_break_lost', 'A line break at the end was cut off', {
    body: LINE.trim(),
    header: `t=${SENT},v0=${LINE_BY_FIRST}`,
    reason: 'mismatch',
  }),
  vector('wrong_secret', 'The receiver holds the secret of another destination', {
    secrets: [SECOND],
    reason: 'mismatch',
  }),
  vector('changed_timestamp', 'The timestamp was moved on by a second', {
    header: `t=${SENT + 1},v0=${PLAIN_BY_FIRST}`,
    reason: 'mismatch',
  }),
  vector('other_timestamp', 'The signature is that of the next second', {
    header: `t=${SENT},v0=${PLAIN_A_SECOND_LATER}`,
    reason: 'mismatch',
  }),
  vector('timestamp_not_signed', 'The signature is over the body alone', {
    header: `t=${SENT},v0=${PLAIN_WITHOUT_MOMENT}`,
    reason: 'mismatch',
  }),
  vector('timestamp_with_zero', 'A leading zero changes the text that is signed', {
    header: `t=0${SENT},v0=${PLAIN_BY_FIRST}`,
    reason: 'mismatch',
  }),
  vector('upper_case_hex', 'The right signature in upper-case letters', {
    header: `t=${SENT},v0=${PLAIN_BY_FIRST.toUpperCase()}`,
    reason: 'mismatch',
  }),
  vector('base64', 'The right signature in base 64', {
    header: `t=${SENT},v0=${PLAIN_IN_BASE64}`,
    reason: 'mismatch',
  }),
  vector('cut_signature', 'Half of the right signature', {
    header: `t=${SENT},v0=${PLAIN_BY_FIRST.slice(0, 32)}`,
    reason: 'mismatch',
  }),
  vector('stale_and_wrong', 'A wrong signature tells nothing of its age', {
    header: `t=${SENT},v0=${PLAIN_BY_SECOND}`,
    now: SENT + 301,
    reason: 'mismatch',
  }),
  vector('missing_header', 'No signature header', { header: null, reason: 'missing_header' }),
  vector('empty_header', 'A signature header without content', {
    header: '',
    reason: 'missing_header',
  }),
  vector('missing_t', 'No timestamp', {
    header: `v0=${PLAIN_BY_FIRST}`,
    reason: 'missing_timestamp',
  }),
  vector('malformed_t', 'A timestamp that is no whole number', {
    header: `t=${SENT}.0,v0=${PLAIN_BY_FIRST}`,
    reason: 'malformed_timestamp',
  }),
  vector('two_timestamps', 'Two timestamps, of which one was signed', {
    header: `t=${SENT},t=${SENT + 1},v0=${PLAIN_BY_FIRST}`,
    reason: 'malformed_timestamp',
  }),
  vector('missing_v0', 'No signature', { header: `t=${SENT}`, reason: 'missing_signature' }),
  vector('empty_v0', 'A v0 without signature', {
    header: `t=${SENT},v0=`,
    reason: 'missing_signature',
  }),
  vector('only_other_scheme', 'The right signature under another scheme', {
    header: `t=${SENT},v1=${PLAIN_BY_FIRST}`,
    reason: 'missing_signature',
  }),
];

function vector(name: string, about: string, given: Case): Vector {
  const { header = HEADER, body = PLAIN, secrets = [FIRST], now = SENT, reason = null } = given;
  return {
    name,
    about,
    secrets,
    now,
    tolerance_seconds: 300,
    header,
    body_text: typeof body === 'string' ? body : null,
    body_base64: Buffer.from(body).toString('base64'),
    valid: reason === null,
    reason,
  };
}
