/** The cards that the payment page takes, and what becomes of a payment with each. @assumes A-1103 */
export interface TestCard {
  readonly number: string;
  readonly about: string;
}

export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242 4242 4242 4242', about: 'succeeds' },
  { number: '4000 0025 0000 3155', about: 'asks for a confirmation first' },
  { number: '4000 0000 0000 0002', about: 'is declined' },
  { number: '4000 0000 0000 9995', about: 'has insufficient funds' },
  { number: '4000 0000 0000 0069', about: 'is an expired card' },
  { number: '4000 0000 0000 0341', about: 'succeeds now, is declined at the next renewal' },
];
