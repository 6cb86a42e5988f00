import type { TwinExchange } from './exchange.ts';
import type { IdMap } from './id-map.ts';
import { formOf } from './match-texts.ts';

/** The reason for requests that are not counted. */
export const OWN = 'about the emulator itself';

/** Why a request is not sent to the emulator; undefined when it is. */
export function reasonNotAsked(
  { isOwn, isWrite, answer, names, traffic, operation }: TwinExchange,
  isOrphan: (name: string) => boolean,
): string | undefined {
  if (!answer) return 'the body of its answer is too long, or packed in an unknown way';
  if (!traffic.requestBody) return 'its body is too long';
  // Time follows the service's responses, and the contract does not cover what a control request
  // reads.
  const isForwarded = isWrite && answer.status < 400 && !/^\/_emulator\/clock/.test(traffic.target);
  if (isOwn && !isForwarded) return OWN;
  if (operation?.id === 'listWebhookEvents' && /[?&]status=/.test(traffic.target))
    return 'it asks for what receivers did';
  for (const name of names) if (isOrphan(name)) return 'it names what the emulator has nothing for';
  return undefined;
}

/** Whether the service knows an object that is older than the twin, so that the emulator does not. */
export function namesOlder({ answer, names }: TwinExchange, status: number, ids: IdMap): boolean {
  if (!answer || answer.status >= 300 || status < 400) return false;
  return [...names].some((name) => formOf(name) === 'id' && ids.counterpart(name) === undefined);
}
