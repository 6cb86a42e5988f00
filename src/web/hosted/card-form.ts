import type { Instant } from '../../domain/instant.ts';
import { findTestCard, type TestCard } from './test-cards.ts';

/** What a posted form holds: one text for each field, or several where a name stands more than once. */
export type FormBody = Readonly<Record<string, unknown>> | undefined;

/** The text of a field; empty where it is absent or was sent twice. */
export function fieldText(body: FormBody, name: string): string {
  const value = body && Object.hasOwn(body, name) ? body[name] : undefined;
  return typeof value === 'string' ? value.trim() : '';
}

export const CARD_FIELDS = ['number', 'expiry', 'cvc'] as const;
export type CardField = (typeof CARD_FIELDS)[number];

/** What is to be said at each field that is not right. */
export type CardFindings = Partial<Readonly<Record<CardField, string>>>;

/** What the fields of a card form hold, and what is to be said at each. */
export interface CardEntry {
  readonly values: Partial<Readonly<Record<CardField, string>>>;
  readonly findings: CardFindings;
}

/** What stands above a card form that comes back. */
export const CORRECTION_TEXT = 'Some of it needs to be corrected.';

interface ReadCard {
  /** Where nothing is wrong. */
  readonly card?: TestCard;
  readonly entry: CardEntry;
}

const EXPIRY = /^(0?[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d{2})$/;
const CVC = /^\d{3,4}$/;

/**
 * Reads a card form: one of the test cards, any month that is not over, any code. A number that is no test
 * card's may be a real one, so it is not sent back.
 *
 * @assumes A-1103
 */
export function readCard(body: FormBody, now: Instant): ReadCard {
  const [number, expiry, cvc] = CARD_FIELDS.map((name) => fieldText(body, name)) as Texts;
  const card = findTestCard(number);
  const findings: CardFindings = {
    ...(!card && { number: numberFinding(number) }),
    ...expiryFinding(expiry, now),
    ...(!CVC.test(cvc) && { cvc: 'Enter three or four digits.' }),
  };
  const entry = { values: { ...(card && { number: card.number }), expiry }, findings };
  return card && Object.keys(findings).length === 0 ? { card, entry } : { entry };
}

type Texts = [number: string, expiry: string, cvc: string];

const YEARS_AHEAD = 8;
const LAST_YEAR = 99;

/** A form that a test card has filled; undefined for what is none. */
export function filledBy(number: string, now: Instant): CardEntry | undefined {
  const card = findTestCard(number);
  return card && { values: { number: card.number, ...someRest(now) }, findings: {} };
}

/** A month to come and a code, for a test card to be paid with. */
export function someRest(now: Instant): { readonly expiry: string; readonly cvc: string } {
  const year = Math.min(LAST_YEAR, Number(now.slice(2, 4)) + YEARS_AHEAD);
  return { expiry: `12 / ${String(year).padStart(2, '0')}`, cvc: '123' };
}

function numberFinding(number: string): string {
  return number === ''
    ? 'Enter the number of one of the test cards.'
    : 'This is none of the test cards. Real cards are not taken here.';
}

function expiryFinding(expiry: string, now: Instant): CardFindings {
  const [, month, year] = EXPIRY.exec(expiry) ?? [];
  if (month === undefined || year === undefined)
    return { expiry: 'Enter month and year, such as 12 / 34.' };
  const isOver = `20${year}-${month.padStart(2, '0')}` < now.slice(0, 7);
  return isOver ? { expiry: 'Enter a month that is not over.' } : {};
}
