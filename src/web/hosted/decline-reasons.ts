/** Why a payment was refused, as it is kept and as a payer reads it. */
const DECLINE_TEXTS: Readonly<Record<string, string>> = {
  card_declined: 'The card was declined.',
  insufficient_funds: 'The card has too little money on it.',
  expired_card: 'The card has expired.',
  confirmation_refused: 'The payment was not confirmed.',
};

export const declineText = (reason: string): string =>
  DECLINE_TEXTS[reason] ?? 'The payment was declined.';
