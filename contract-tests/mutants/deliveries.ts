import { signatureOf } from 'billing-emulator/internals';
import { declared, kindOfMutant, type Mutant } from './mutant.ts';

type Change = NonNullable<Mutant['posting']>;
type Envelope = Record<string, unknown>;

const sending = kindOfMutant((posting: Change) => ({ posting }));

/** Changes the signature header. */
const signing = kindOfMutant((change: (signature: string, body: string) => string) => ({
  posting: (post) => {
    const entries = Object.entries(post.headers).map(([name, text]) => [
      name,
      name.endsWith('-Signature') ? change(text, post.body) : text,
    ]);
    return { ...post, headers: Object.fromEntries(entries) };
  },
}));

/** Changes the body of a webhook request. The signature remains that of the original body. */
const writing = kindOfMutant((change: (body: string) => string) => ({
  posting: (post) => ({ ...post, body: change(post.body) }),
}));

const enveloping = kindOfMutant((change: (envelope: Envelope) => Envelope) => ({
  posting: (post) => ({ ...post, body: JSON.stringify(change(JSON.parse(post.body) as Envelope)) }),
}));

const isLatin = (text: string) => [...text].every((character) => character < '\u0100');

let moment = 0;

export const deliveryMutants: readonly Mutant[] = [
  sending('No request is ever sent', ['WHK-14', 'WHK-17'], () => undefined),
  signing('Requests carry no signature', ['WHK-14'], () => ''),
  signing('Signatures are upper-case hex', ['WHK-14'], (text) =>
    text.replace(/v0=.*/, (digest) => `v0=${digest.slice(3).toUpperCase()}`),
  ),
  signing('t is in milliseconds', ['WHK-14'], (text) => text.replace(/t=(\d+)/, 't=$1000')),
  signing('The secret of another destination signs', ['WHK-14'], (text, body) => {
    const [, at = ''] = /t=(\d+)/.exec(text) ?? [];
    return `t=${at},v0=${signatureOf(body, 'whsec_of_another', at)}`;
  }),
  writing('The signature is that of the body written otherwise', ['WHK-14'], (body) =>
    JSON.stringify(JSON.parse(body), null, 1),
  ),
  signing('Every request bears the t of the first', ['WHK-40'], (text) => {
    moment ||= Number(/t=(\d+)/.exec(text)?.[1]);
    return text.replace(/t=\d+/, `t=${moment}`);
  }),
  writing('Characters beyond Latin 1 are lost', ['WHK-14'], (body) =>
    isLatin(body) ? body : body.replaceAll(/[\u0100-\uffff]/g, '?'),
  ),
  sending('Requests are text', ['WHK-14'], (posting) => ({
    ...posting,
    headers: { ...posting.headers, 'Content-Type': 'text/plain' },
  })),
  enveloping('The envelope has no created', ['WHK-14'], ({ created: _, ...envelope }) => envelope),
  enveloping('The envelope has an id of its own', ['WHK-14'], (envelope) => ({
    ...envelope,
    id: 'evt_00000000000000000000000000',
  })),
  enveloping('live_mode is inverted', ['WHK-14'], (envelope) => ({
    ...envelope,
    live_mode: !envelope['live_mode'],
  })),
  enveloping(
    'data stands in the envelope itself',
    ['WHK-14', 'WHK-17'],
    ({ data, ...envelope }) => ({ ...envelope, ...(data as Envelope) }),
  ),
  enveloping(
    'The envelope does not say whose event it is',
    ['WHK-86'],
    ({ account_id: _, ...envelope }) => envelope,
  ),
  enveloping('An activation does not say of whom', ['WHK-17'], (envelope) => {
    const { customer_id: _, ...data } = envelope['data'] as Envelope;
    return { ...envelope, data };
  }),
  sending('Deliveries overtake each other', ['WHK-31'], overtaken()),
  {
    ...declared('Whatever a receiver answers is a success', ['WHK-40', 'WHK-31']),
    posted: (outcome) => ({ ...outcome, status_code: 200, error: null }),
  },
  {
    ...declared('Only 200 is a success', ['WHK-31']),
    posted: (outcome) =>
      outcome.status_code === 200 ? outcome : { ...outcome, error: 'not 200', status_code: 500 },
  },
];

/** Holds back the first request to each URL, and sends it in place of the second one. */
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
