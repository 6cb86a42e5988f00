import type { Instant } from '../../domain/instant.ts';
import type { DeliveryExpectation, ExpectStep } from '../scenario.ts';
import type { PortableTexts } from './portable-texts.ts';
import type { LoggedSession } from './session.ts';

/** Webhook events that one look at a log finds at most. */
const MOST_EVENTS = 1_000;

/**
 * The webhook events that a session caused, counted by topic and destination; undefined where it caused none, more than
 * one look finds, or some after the clock of its last step.
 */
export function closingStep(
  { webhookEvents = [] }: LoggedSession,
  texts: PortableTexts,
  clock: Instant,
): ExpectStep | undefined {
  const { length } = webhookEvents;
  if (length === 0 || length > MOST_EVENTS || webhookEvents.some(({ at }) => at > clock))
    return undefined;
  const counts = new Map<string, DeliveryExpectation & { readonly count: number }>();
  for (const { topic, account, destinations } of webhookEvents)
    for (const destination of [
      undefined,
      ...destinations.map((id) => texts.known.referenceTo(id)),
    ]) {
      const wanted = {
        ...(account !== undefined && { account: texts.request(account) }),
        ...(destination !== undefined && { destination }),
        topic,
      };
      const key = JSON.stringify(wanted);
      counts.set(key, { ...wanted, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  return { expect: { delivery: [...counts.values()] } };
}
