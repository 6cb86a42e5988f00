import type { WebhookPost } from 'billing-emulator/internals';
import type { Advice, Loose, Mutant } from '../../mutant.ts';
import { keeping, reading, through } from '../deep.ts';
import { against } from './window.ts';

/** A destination once for each of its topics that match the event. */
const perTopic: Advice = reading('webhooks', 'owner', (rows) =>
  rows.flatMap((row) =>
    row.topics
      .filter((topic: string) => topic === '*' || topic === 'subscription.activated')
      .map(() => row),
  ),
);

const signatureIn = ({ headers }: WebhookPost): string =>
  Object.keys(headers).find((name) => name.endsWith('-Signature')) ?? '';

const signedBy = (posting: WebhookPost, signature: string): WebhookPost => ({
  ...posting,
  headers: { ...posting.headers, [signatureIn(posting)]: signature },
});

/** Signs each event once, with the secret of the destination that it is sent to first. */
function signingOnce() {
  const known = new Map<string, { readonly url: string; readonly signature: string }>();
  return (posting: WebhookPost): WebhookPost => {
    const { headers, body, url } = posting;
    const first = known.get(body) ?? { url, signature: headers[signatureIn(posting)] ?? '' };
    known.set(body, first);
    return first.url === url ? posting : signedBy(posting, first.signature);
  };
}

/** Keeps the signatures of first attempts for the later ones. Destinations of one URL have them in their order. */
function signingAhead() {
  const known = new Map<string, string[]>();
  return (posting: WebhookPost): WebhookPost => {
    const { headers, body, url } = posting;
    const signature = headers[signatureIn(posting)] ?? '';
    const firsts = known.get(url + body) ?? [];
    known.set(url + body, firsts);
    const [moment] = signature.split(',');
    if (firsts.every((first) => first.startsWith(`${moment},`))) {
      firsts.push(signature);
      return posting;
    }
    const first = firsts.shift() ?? signature;
    firsts.push(first);
    return signedBy(posting, first);
  };
}

const escaped = (text: string): string =>
  text.replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Webhook requests and the log. */
export const webhookBugs: readonly Mutant[] = [
  against(
    'Signature 2: v0 is computed over the raw request body',
    'signs letters beyond ASCII and sends them escaped',
    {},
    { posting: (posting) => ({ ...posting, body: escaped(posting.body) }) },
  ),
  against(
    'Signature 2: keyed with the destination secret',
    'signs an event for all destinations with the secret of the first',
    {},
    { posting: signingOnce() },
  ),
  against(
    'Signature 1: t is the Unix timestamp of dispatch',
    'repeats the timestamp of the first attempt when it tries again',
    {},
    { posting: signingAhead() },
  ),
  against(
    'Destinations: for each event matching its topics, the service sends an HTTP POST',
    'sends an event once for each topic that matches, with * beside its own',
    { createSubscription: perTopic, createCustomer: perTopic },
  ),
  against(
    'Payload of subscription.activated: subscription_id',
    'names the first subscription of the customer when another one is activated',
    {
      createSubscription: keeping('webhook_events', (row, _, { tables }) => {
        const { customer_id, subscription_id } = row.data;
        const [first] = tables.subscriptions.list('customer', customer_id);
        if (!first) return row;
        const data = { ...row.data, subscription_id: first.id };
        return { ...row, data, body: row.body.replace(subscription_id, first.id) };
      }),
    },
  ),
  against(
    'Events: subscription.activated, fired when a customer is subscribed and the subscription becomes active',
    'sends it only for the first subscription of a new customer',
    {
      createCustomer: through('webhook_events', (table) => {
        let first: string | undefined;
        return {
          put(row: Loose) {
            first ??= row.data.subscription_id;
            const isFirst = row.data.subscription_id === first;
            return isFirst ? table.put(row) : { ...row, matched_destination_ids: [] };
          },
        };
      }),
    },
  ),
];
