import type { Finding } from '../domain/rules.ts';
import { didYouMean } from '../text/wording.ts';
import { loadDocument } from './document.ts';
import type { webhooks } from './openapi.d.ts';

/** A webhook topic that the document describes. */
export type Topic = keyof webhooks;

/** The data in the envelope of a topic. */
export type TopicPayload<T extends Topic> =
  webhooks[T]['post']['requestBody']['content']['application/json']['data'];

/** All topics that the emulator sends: those in the document. @assumes A-1202 */
export const knownTopics = (): readonly Topic[] =>
  Object.keys(loadDocument('openapi').json['webhooks'] as object) as Topic[];

export const isKnownTopic = (topic: string): topic is Topic =>
  (knownTopics() as readonly string[]).includes(topic);

/** Finds a topic that never fires in a field. The finding suggests the nearest name. @assumes A-1202 */
export function validateTopic(topic: string | undefined, field: string): Finding[] {
  if (topic === undefined || isKnownTopic(topic)) return [];
  return [{ field, message: `There is no topic ${topic}.${didYouMean(topic, knownTopics())}` }];
}
