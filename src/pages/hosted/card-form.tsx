import type { Instant } from '../../domain/instant.ts';
import type { PaymentMethod } from '../../store/records.ts';
import { Button, Field, type FormBody, fieldText } from '../forms.tsx';
import { Section } from '../parts.tsx';

const INPUTS = {
  number: {
    label: 'Card number',
    placeholder: '4242 4242 4242 4242',
    maxlength: 32,
    inputmode: 'numeric',
    testId: 'card-number',
  },
  expiry: { label: 'Expiry', placeholder: 'MM / YY', maxlength: 9, testId: 'expiry' },
  cvc: { label: 'CVC', placeholder: '123', maxlength: 4, inputmode: 'numeric', testId: 'cvc' },
} as const;

/** The three fields of a card. The first invalid one has the focus. */
export function CardFields({ values = {}, wrong = [] }: Partial<CardEntry>) {
  const field = (name: CardField) => (
    <div>
      <Field
        {...INPUTS[name]}
        name={name}
        value={values[name]}
        autofocus={name === wrong[0]}
        aria-invalid={wrong.includes(name) || undefined}
      />
    </div>
  );
  return (
    <div class="card-fields">
      {field('number')}
      <div class="grid">
        {field('expiry')}
        {field('cvc')}
      </div>
    </div>
  );
}

interface TestCardsProps {
  /** The URL of the form that they fill. */
  readonly action: string;
}

/** The test cards and their outcomes. A button fills the form, by its URL. */
export function TestCards({ action }: TestCardsProps) {
  return (
    <form method="get" action={action}>
      <Section id="test-cards" title="Test cards" aside="Any future month and any CVC will do.">
        <ul class="rows">
          {TEST_CARDS.map(({ number, about }) => (
            <li key={number} class="row">
              <span class="id">{number}</span>
              <span>{about}</span>
              <Button class="link" name="card" value={number} aria-label={`Fill in ${number}`}>
                Fill in
              </Button>
            </li>
          ))}
        </ul>
      </Section>
    </form>
  );
}

const CARD_FIELDS = ['number', 'expiry', 'cvc'] as const;
type CardField = (typeof CARD_FIELDS)[number];

/** The values of a card form, and which of its fields are invalid. */
export interface CardEntry {
  readonly values: Partial<Readonly<Record<CardField, string>>>;
  readonly wrong: readonly CardField[];
}

/** Shown above a card form with invalid fields. */
export const correctionText = ({ wrong }: CardEntry): string =>
  `Please correct: ${wrong.map((name) => INPUTS[name].label).join(', ')}. Only test cards are accepted.`;

const EXPIRY = /^(0?[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d{2})$/;
const CVC = /^\d{3,4}$/;

/**
 * Reads a card form. It accepts the test cards, with any month that is not over and any code. Another number can be a
 * real card, so the response does not repeat it. There is no card if a field is invalid.
 *
 * @assumes A-1103
 */
export function readCard(
  body: FormBody,
  now: Instant,
): { readonly card?: TestCard; readonly entry: CardEntry } {
  const [number = '', expiry = '', cvc = ''] = CARD_FIELDS.map((name) => fieldText(body, name));
  const card = findTestCard(number);
  const isValid = { number: card !== undefined, expiry: isAhead(expiry, now), cvc: CVC.test(cvc) };
  const wrong = CARD_FIELDS.filter((name) => !isValid[name]);
  const entry = { values: { ...(card && { number: card.number }), expiry }, wrong };
  return card && wrong.length === 0 ? { card, entry } : { entry };
}

function isAhead(expiry: string, now: Instant): boolean {
  const [, month = '', year] = EXPIRY.exec(expiry) ?? [];
  return month !== '' && `20${year}-${month.padStart(2, '0')}` >= now.slice(0, 7);
}

/** Returns a form filled with a test card, an expiry far ahead and a code; undefined if the number is not a test card. */
export function filledBy(number: string): CardEntry | undefined {
  const card = findTestCard(number);
  return card && { values: { number: card.number, expiry: '12 / 99', cvc: '123' }, wrong: [] };
}

/** The cards that payment pages accept. @assumes A-1103 */
const TEST_CARDS = [
  { number: '4242 4242 4242 4242', outcome: 'succeeds', about: 'Paid' },
  { number: '4000 0025 0000 3155', outcome: 'confirms', about: 'Asks for confirmation first' },
  { number: '4000 0000 0000 0002', outcome: 'card_declined', about: 'Declined' },
  {
    number: '4000 0000 0000 9995',
    outcome: 'insufficient_funds',
    about: 'Declined: insufficient funds',
  },
  { number: '4000 0000 0000 0069', outcome: 'expired_card', about: 'Declined: expired card' },
  {
    number: '4000 0000 0000 0341',
    outcome: 'declines_later',
    about: 'Paid now, declined at the next renewal',
  },
] as const;

export type TestCard = (typeof TEST_CARDS)[number];

/** Finds a test card by its number, with or without spaces. */
function findTestCard(number: string): TestCard | undefined {
  const digits = digitsOf(number);
  return TEST_CARDS.find((card) => digitsOf(card.number) === digits);
}

export function cardMethod({ number, outcome }: TestCard): PaymentMethod {
  return { kind: 'card', last4: number.slice(-4), declines_later: outcome === 'declines_later' };
}

const digitsOf = (number: string): string => number.replace(/[\s-]/g, '');

/** Texts for payers, by the stored reason of a failed payment. */
const DECLINE_TEXTS: Readonly<Record<string, string>> = {
  card_declined: 'The card was declined.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  confirmation_refused: 'The payment was not confirmed.',
};

export const declineText = (reason: string): string =>
  DECLINE_TEXTS[reason] ?? 'The payment was declined.';
