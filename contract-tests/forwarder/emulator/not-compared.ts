import type { TwinExchange } from './exchange.ts';
import { formOf, type IdMap } from './id-map.ts';

/** Texts for people, whose wording the contract does not specify. */
const WORDING = /^body\.(title|detail|instance|warnings\.\*)$/;
/** By operation: what depends on receivers, to which only the service sends. It disables a destination that asks for that. */
const OF_RECEIVERS: Readonly<Record<string, RegExp>> = {
  listWebhookEvents: /^body\.items\.\*\.(successful_at|failed_at|metadata(\..*)?)$/,
  listWebhooks: /^body\.items\.\*\.(enabled|updated_at)$/,
  getWebhook: /^body\.(enabled|updated_at)$/,
};

type Place = readonly (string | number)[];

/** Whether a place holds the wording of an error or a warning. */
export function isWording(operation: string | undefined, status: number, at: Place): boolean {
  if (status < 400 && operation !== 'simulateUsage') return false;
  // Names of fields in errors can have dots, such as `events[0].occurred_at`.
  const isError = at[0] === 'body' && at[1] === 'errors' && at.length > 2;
  return isError || WORDING.test(at.join('.'));
}

/** Whether a value depends on the responses of webhook receivers. */
export const isOfReceivers = (operation: string | undefined, at: Place): boolean =>
  OF_RECEIVERS[operation ?? '']?.test(at.join('.')) === true;

/** The reason for requests that are not counted. */
export const OWN = 'about the emulator itself';

/** Why a request is not sent to the emulator; undefined when it is. */
export function reasonNotAsked(
  { isOwn, isWrite, answer, names, traffic, operation }: TwinExchange,
  isOrphan: (name: string) => boolean,
): string | undefined {
  if (!answer) return 'the body of its response is too long, or its compression is unknown';
  if (!traffic.requestBody) return 'its body is too long';
  // Time follows the service's responses, and the contract does not cover what a control request
  // reads.
  const isForwarded = isWrite && answer.status < 400 && !/^\/_emulator\/clock/.test(traffic.target);
  if (isOwn && !isForwarded) return OWN;
  if (operation?.id === 'listWebhookEvents' && /[?&]status=/.test(traffic.target))
    return 'it filters by the outcome of deliveries, which only the service makes';
  for (const name of names)
    if (isOrphan(name)) return 'it names an object that the emulator does not have';
  return undefined;
}

/** Whether the service knows an object that is older than the twin, so that the emulator does not. */
export function namesOlder({ answer, names }: TwinExchange, status: number, ids: IdMap): boolean {
  if (!answer || answer.status >= 300 || status < 400) return false;
  return [...names].some((name) => formOf(name) === 'id' && ids.counterpart(name) === undefined);
}
