import type { PaymentMethod } from '../../state/records.ts';

/** What becomes of a payment with a card. */
export type CardOutcome =
  | 'succeeds'
  | 'confirms'
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'declines_later';

/** The cards that payment pages take. @assumes A-1103 */
export interface TestCard {
  readonly number: string;
  readonly outcome: CardOutcome;
  readonly about: string;
}

export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242 4242 4242 4242', outcome: 'succeeds', about: 'Paid' },
  { number: '4000 0025 0000 3155', outcome: 'confirms', about: 'Asks for a confirmation first' },
  { number: '4000 0000 0000 0002', outcome: 'card_declined', about: 'Declined' },
  {
    number: '4000 0000 0000 9995',
    outcome: 'insufficient_funds',
    about: 'Declined: too little money',
  },
  { number: '4000 0000 0000 0069', outcome: 'expired_card', about: 'Declined: expired card' },
  {
    number: '4000 0000 0000 0341',
    outcome: 'declines_later',
    about: 'Paid now, declined at the next renewal',
  },
];

/** Last digits of the one bank account that payment pages debit. */
export const TEST_BANK_ACCOUNT = '6789';

/** The test card with a number, however it is spaced. */
export function findTestCard(number: string): TestCard | undefined {
  const digits = digitsOf(number);
  return TEST_CARDS.find((card) => digitsOf(card.number) === digits);
}

/** How a payment with a card is remembered. */
export function cardMethod({ number, outcome }: TestCard): PaymentMethod {
  return { kind: 'card', last4: number.slice(-4), declines_later: outcome === 'declines_later' };
}

const digitsOf = (number: string): string => number.replace(/[\s-]/g, '');
