import type { ClientRequest } from '../../client/index.ts';
import { type FieldFlags, type Flags, fieldsOf, flag, numberFlag } from '../flags.ts';
import { printPage } from '../print.ts';
import { callVerb, type Verb, type VerbGroup } from '../verb.ts';

type PaymentMethod = Exclude<ClientRequest<'setPaymentMethod'>['body'], string | undefined>;

const METHOD: FieldFlags<PaymentMethod> = {
  kind: flag('--method <kind>', 'Payment method', { choices: ['card', 'bank_debit'] }),
  last4: flag('--last4 <digits>', 'Last four digits to show'),
  declines_later: flag('--declines-later', 'Succeeds now, but is declined at the next renewal'),
};
const METHOD_FLAGS = Object.values(METHOD);

/** Builds the payment method from flags. Default: a card. */
const methodOf = (flags: Flags): PaymentMethod => ({ kind: 'card', ...fieldsOf(METHOD, flags) });

const methodVerb: Verb = {
  usage: 'method <customer>',
  about: 'Save the payment method of a customer (id or external id) for renewals and top-ups',
  flags: [flag('--remove', 'Remove the saved payment method'), ...METHOD_FLAGS],
  async run(client, { args: [customerId = ''], flags }) {
    const path = { customerId };
    if (flags['remove']) await client.call('removePaymentMethod', { path });
    else await client.call('setPaymentMethod', { path, body: methodOf(flags) });
    const json = JSON.stringify({ customer: customerId, saved: !flags['remove'] });
    return {
      json,
      text: flags['remove'] ? 'The payment method is removed.' : 'The payment method is saved.',
    };
  },
};

const TERMS: FieldFlags<ClientRequest<'setAutoTopUp'>['body']> = {
  threshold: numberFlag('--threshold <balance>', 'Top up when the balance falls below this'),
  amount: numberFlag('--amount <amount>', 'Amount of each top-up'),
  currency: flag('--currency <code>', "Currency to pay in (default: the account's asset)"),
};

const autoTopUpVerb = callVerb('listAutoTopUps', {
  usage: 'auto-top-up <customer> [account]',
  about: 'List the automatic top-ups of a customer (id or external id), or turn one on or off',
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

/** `billing-emulator payment`: actions of customers on the hosted pages, without a browser. */
export const paymentVerbs: VerbGroup = {
  usage: 'payment',
  about: 'Settle payments, save cards and set up automatic top-ups, without a browser',
  verbs: [
    callVerb('settlePayment', {
      usage: 'settle <id>',
      about: 'Settle the payment of a subscription or a top-up, given its id or link token',
      flags: METHOD_FLAGS,
      body: {
        outcome: flag('--outcome <outcome>', 'Result of the payment', {
          choices: ['succeeded', 'failed', 'processing', 'abandoned'],
          preset: 'succeeded',
        }),
        reason: flag('--reason <text>', 'Reason for the failure that the payer sees'),
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
