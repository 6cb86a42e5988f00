import { signatureOf } from 'billing-emulator/internals';
import type { Mutant } from './mutant.ts';

type Change = NonNullable<Mutant['posting']>;
type Envelope = Record<string, unknown>;

const sending = (
  id: string,
  about: string,
  noticedBy: readonly string[],
  posting: Change,
): Mutant => ({ id, about, noticedBy, posting });

/** Changes the signature header. */
const onSignature =
  (change: (signature: string, body: string) => string): Change =>
  (posting) => {
    const entries = Object.entries(posting.headers).map(([name, text]) => [
      name,
      name.endsWith('-Signature') ? change(text, posting.body) : text,
    ]);
    return { ...posting, headers: Object.fromEntries(entries) };
  };

/** Changes the body; its signature is made from what a mutant knows, so it is that of the old body. */
const onText =
  (change: (body: string) => string): Change =>
  (posting) => ({ ...posting, body: change(posting.body) });

const onEnvelope = (change: (envelope: Envelope) => Envelope): Change =>
  onText((body) => JSON.stringify(change(JSON.parse(body) as Envelope)));

const isLatin = (text: string) => [...text].every((character) => character < '\u0100');

let moment = 0;

export const deliveryMutants: readonly Mutant[] = [
  sending('delivery-never-sent', 'No request is ever sent', ['WHK-14', 'WHK-17'], () => undefined),
  sending(
    'delivery-without-signature',
    'Requests carry no signature',
    ['WHK-15'],
    onSignature(() => ''),
  ),
  sending(
    'signature-upper-case',
    'Signatures are upper-case hex',
    ['WHK-15'],
    onSignature((text) => text.replace(/v0=.*/, (digest) => `v0=${digest.slice(3).toUpperCase()}`)),
  ),
  sending(
    'signature-in-milliseconds',
    't is in milliseconds',
    ['WHK-15', 'WHK-16'],
    onSignature((text) => text.replace(/t=(\d+)/, 't=$1000')),
  ),
  sending(
    'signature-of-other-secret',
    'The secret of another destination signs',
    ['WHK-15', 'WHK-34', 'WHK-39'],
    onSignature((text, body) => {
      const [, at = ''] = /t=(\d+)/.exec(text) ?? [];
      return `t=${at},v0=${signatureOf(body, 'whsec_of_another', at)}`;
    }),
  ),
  sending(
    'signature-of-other-bytes',
    'The signature is that of the body written otherwise',
    ['WHK-15', 'WHK-34', 'WHK-39'],
    onText((body) => JSON.stringify(JSON.parse(body), null, 1)),
  ),
  sending(
    'signature-moment-stands-still',
    'Every request bears the t of the first',
    ['WHK-40'],
    onSignature((text) => {
      moment ||= Number(/t=(\d+)/.exec(text)?.[1]);
      return text.replace(/t=\d+/, `t=${moment}`);
    }),
  ),
  sending(
    'delivery-not-utf8',
    'Characters beyond Latin 1 are lost',
    ['WHK-39'],
    onText((body) => (isLatin(body) ? body : body.replaceAll(/[\u0100-\uffff]/g, '?'))),
  ),
  sending('delivery-as-text', 'Requests are text', ['WHK-14'], (posting) => ({
    ...posting,
    headers: { ...posting.headers, 'Content-Type': 'text/plain' },
  })),
  sending(
    'envelope-without-created',
    'The envelope has no created',
    ['WHK-14'],
    onEnvelope(({ created: _, ...envelope }) => envelope),
  ),
  sending(
    'envelope-of-other-id',
    'The envelope has an id of its own',
    ['WHK-14'],
    onEnvelope((envelope) => ({ ...envelope, id: 'evt_00000000000000000000000000' })),
  ),
  sending(
    'envelope-live-mode-inverted',
    'live_mode is inverted',
    ['WHK-16'],
    onEnvelope((envelope) => ({ ...envelope, live_mode: !envelope['live_mode'] })),
  ),
  sending(
    'envelope-flattened',
    'data stands in the envelope itself',
    ['WHK-14', 'WHK-17'],
    onEnvelope(({ data, ...envelope }) => ({ ...envelope, ...(data as Envelope) })),
  ),
  sending(
    'envelope-without-account',
    'The envelope does not say whose event it is',
    ['WHK-26'],
    onEnvelope(({ account_id: _, ...envelope }) => envelope),
  ),
  sending(
    'activation-without-customer',
    'An activation does not say of whom',
    ['WHK-17'],
    onEnvelope((envelope) => {
      const { customer_id: _, ...data } = envelope['data'] as Envelope;
      return { ...envelope, data };
    }),
  ),
  sending('deliveries-out-of-order', 'Deliveries overtake each other', ['WHK-38'], overtaken()),
  {
    id: 'every-answer-is-success',
    about: 'Whatever a receiver answers is a success',
    noticedBy: ['WHK-18', 'WHK-40', 'WHK-41'],
    posted: (outcome) => ({ ...outcome, status_code: 200, error: null }),
  },
  {
    id: 'only-200-is-success',
    about: 'Only 200 is a success',
    noticedBy: ['WHK-31'],
    posted: (outcome) =>
      outcome.status_code === 200 ? outcome : { ...outcome, error: 'not 200', status_code: 500 },
  },
];

/** Leaves out the first request to each address, and sends it in place of the second one. */
function overtaken(): Change {
  const held = new Map<string, Parameters<Change>[0]>();
  return (posting) => {
    const before = held.get(posting.url);
    if (before) {
      held.delete(posting.url);
      return before;
    }
    held.set(posting.url, posting);
    return undefined;
  };
}
