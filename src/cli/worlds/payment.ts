import type { ClientRequest } from '../../client/index.ts';
import { type FieldFlags, type Flags, fieldsOf, flag, numberFlag } from '../flags.ts';
import { printPage } from '../print.ts';
import { callVerb, type Verb, type VerbGroup } from '../verb.ts';

type PaymentMethod = Exclude<ClientRequest<'setPaymentMethod'>['body'], string | undefined>;

const METHOD: FieldFlags<PaymentMethod> = {
  kind: flag('--method <kind>', 'What it is paid with', { choices: ['card', 'bank_debit'] }),
  last4: flag('--last4 <digits>', 'Last four digits, as shown'),
  declines_later: flag('--declines-later', 'Paid now, and declined at the next renewal'),
};
const METHOD_FLAGS = Object.values(METHOD);

/** The method that flags describe, a card unless they say otherwise. */
function methodOf(flags: Flags): PaymentMethod {
  return { kind: 'card', ...fieldsOf(METHOD, flags) };
}

const methodVerb: Verb = {
  usage: 'method <customer>',
  about: 'Save what renewals and automatic top-ups of a customer are paid with',
  flags: [flag('--remove', 'Remove what is saved'), ...METHOD_FLAGS],
  async run(client, { args: [customerId = ''], flags }) {
    const path = { customerId };
    if (flags['remove']) await client.call('removePaymentMethod', { path });
    else await client.call('setPaymentMethod', { path, body: methodOf(flags) });
    const json = JSON.stringify({ customer_id: customerId, saved: !flags['remove'] });
    return { json, text: flags['remove'] ? 'Nothing is saved.' : 'It is saved.' };
  },
};

const TERMS: FieldFlags<ClientRequest<'setAutoTopUp'>['body']> = {
  threshold: numberFlag('--threshold <balance>', 'Below which balance it pays'),
  amount: numberFlag('--amount <amount>', 'What it pays each time'),
  currency: flag('--currency <code>', 'What it pays in; the asset of the account unless given'),
};

const autoTopUpVerb = callVerb('listAutoTopUps', {
  usage: 'auto-top-up <customer> [account]',
  about: 'List the automatic top-ups of a customer, or turn that of an account on or off',
  flags: [...Object.values(TERMS), flag('--off', 'Turn it off')],
  before(client, { args: [customerId = '', accountId = ''], flags }) {
    const path = { customerId, accountId };
    if (flags['off']) return client.call('removeAutoTopUp', { path });
    if (accountId === '') return undefined;
    return client.call('setAutoTopUp', { path, body: JSON.stringify(fieldsOf(TERMS, flags)) });
  },
  request: ({ args: [customerId] }) => ({ path: { customerId } }),
  text: (page) =>
    printPage(
      page,
      ({ account_id, threshold, amount, currency, refused }) => [
        [account_id, `below ${threshold}`, `${amount} ${currency}`, refused ?? ''],
      ],
      'No automatic top-ups.',
    ),
});

/** `billing-emulator payment`: what customers do on the hosted pages, without a browser. */
export const paymentVerbs: VerbGroup = {
  usage: 'payment',
  about: 'Settle payments, save cards and set automatic top-ups, as customers do on their pages',
  verbs: [
    callVerb('settlePayment', {
      usage: 'settle <id>',
      about: 'End the payment of a subscription or a top-up, named by its id or link token',
      flags: METHOD_FLAGS,
      body: {
        outcome: flag('--outcome <outcome>', 'What becomes of it', {
          choices: ['succeeded', 'failed', 'processing', 'abandoned'],
          preset: 'succeeded',
        }),
        reason: flag('--reason <text>', 'Why it failed, as the payer is told'),
      },
      request: ({ args: [id], flags }) => {
        const isGiven = Object.keys(fieldsOf(METHOD, flags)).length > 0;
        return { path: { id }, body: { payment_method: isGiven ? methodOf(flags) : undefined } };
      },
      text: ({ kind, id, customer_id, changed, status }) =>
        `${kind} ${id} of ${customer_id} ${changed ? 'is' : 'was already'} ${status}`,
    }),
    methodVerb,
    autoTopUpVerb,
  ],
};
