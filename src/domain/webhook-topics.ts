/** Every topic that fires. @assumes A-1202 */
export const KNOWN_TOPICS = ['subscription.activated'] as const;

export type KnownTopic = (typeof KNOWN_TOPICS)[number];

/** The topic that stands for all of them. */
export const ANY_TOPIC = '*';

export const isKnownTopic = (topic: string): topic is KnownTopic =>
  (KNOWN_TOPICS as readonly string[]).includes(topic);

/** Whether a destination that listens to some topics hears of one. */
export const hears = (topics: readonly string[], topic: string): boolean =>
  topics.includes(ANY_TOPIC) || topics.includes(topic);
