import type { ExactValue } from './exact-value.ts';

/** Texts for people, whose wording is nobody's promise. */
const WORDING = [
  /^body\.(title|detail|instance)$/,
  /^body\.errors\.[^.]+(\.\*)*$/,
  /^body\.warnings\.\*$/,
];
/** What depends on receivers, which hear from the service alone. */
const DELIVERED = /^body\.items\.\*\.(successful_at|failed_at|metadata(\..*)?)$/;
/** What follows from how many items there are. */
const COUNTED = /^body\.(total_count|summary(\..*)?|pagination(\..*)?)$/;

type Place = readonly string[];

/** Whether a text is wording: of a refusal, or of a warning. */
export function isWording(operation: string | undefined, status: number, at: Place): boolean {
  if (status < 400 && operation !== 'simulateUsage') return false;
  return WORDING.some((place) => place.test(at.join('.')));
}

/** Whether a place follows from what webhook receivers answered. */
export function isOfReceivers(operation = '', at: Place, upstream: ExactValue): boolean {
  if (operation === 'listWebhookEvents') return DELIVERED.test(at.join('.'));
  // A service switches a destination off whose receiver wants no more.
  return /^(get|list)Webhooks?$/.test(operation) && at.at(-1) === 'enabled' && upstream === false;
}

/** Whether a place follows from how many items there are. */
export function isOfCount(at: Place): boolean {
  return COUNTED.test(at.join('.'));
}
