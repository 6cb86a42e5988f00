import type { TwinExchange } from './exchange.ts';
import type { KnownIds } from './id-map.ts';
import { formOf } from './match-texts.ts';

/** Why a request is not even counted. */
export const OWN = 'about the emulator itself';

/** Why the emulator is not asked; undefined where it is. */
export function reasonNotAsked(
  { isOwn, isWrite, answer, names, traffic, operation }: TwinExchange,
  isOrphan: (name: string) => boolean,
): string | undefined {
  if (!answer) return 'the body of its answer is too long, or packed in an unknown way';
  if (!traffic.requestBody) return 'its body is too long';
  // Time follows the service's answers, and what a control request reads is nobody's promise.
  const isForwarded = isWrite && answer.status < 400 && !/^\/_emulator\/clock/.test(traffic.target);
  if (isOwn && !isForwarded) return OWN;
  if (operation?.id === 'listWebhookEvents' && /[?&]status=/.test(traffic.target))
    return 'it asks for what receivers did';
  for (const name of names) if (isOrphan(name)) return 'it names what the emulator has nothing for';
  return undefined;
}

/** Whether a service knows what a request names, and the emulator was never shown it. */
export function namesOlder(
  { answer, names }: TwinExchange,
  status: number,
  ids: KnownIds,
): boolean {
  if (!answer || answer.status >= 300 || status < 400) return false;
  return [...names].some((name) => formOf(name) === 'id' && ids.counterpart(name) === undefined);
}
