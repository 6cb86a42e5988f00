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

/** What a card form was sent with, where it comes back for correction. */
export interface Correction {
  readonly findings: CardFindings;
  readonly expiry: string;
}

/** What stands above a card form that comes back. */
export const CORRECTION_TEXT = 'Some of it needs to be corrected.';

interface ReadCard extends Correction {
  readonly card?: TestCard;
}

const EXPIRY = /^(0?[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d{2})$/;
const CVC = /^\d{3,4}$/;

/** Reads a card form: one of the test cards, any month that is not over, any code. @assumes A-1103 */
export function readCard(body: FormBody, now: Instant): ReadCard {
  const number = fieldText(body, 'number');
  const expiry = fieldText(body, 'expiry');
  const card = findTestCard(number);
  const findings: CardFindings = {
    ...(!card && { number: numberFinding(number) }),
    ...expiryFinding(expiry, now),
    ...(!CVC.test(fieldText(body, 'cvc')) && { cvc: 'Enter three or four digits.' }),
  };
  return Object.keys(findings).length === 0 && card
    ? { card, expiry, findings }
    : { expiry, findings };
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
