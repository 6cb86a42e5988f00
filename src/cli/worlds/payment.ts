import type { ClientRequest } from '../../client/index.ts';
import { type CommandGroup, operationCommand } from '../command.ts';
import { type FieldFlags, type Flags, fieldsOf, flag } from '../flags.ts';

type PaymentMethod = Exclude<ClientRequest<'setPaymentMethod'>['body'], string | undefined>;

const METHOD: FieldFlags<PaymentMethod> = {
  kind: flag('--method <kind>', 'Payment method', { choices: ['card', 'bank_debit'] }),
  last4: flag('--last4 <digits>', 'Last four digits to show'),
  declines_later: flag('--declines-later', 'Succeeds now, but is declined at the next renewal'),
};
const METHOD_FLAGS = Object.values(METHOD);

/** Builds the payment method from flags. Default: a card. */
const methodOf = (flags: Flags): PaymentMethod => ({ kind: 'card', ...fieldsOf(METHOD, flags) });

/** `billing-emulator payment`: what payers do on the hosted pages, without a browser. */
export const paymentCommands: CommandGroup = {
  usage: 'payment',
  about: 'Settle payments without a browser',
  commands: [
    operationCommand('settlePayment', {
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
  ],
};
