export const ANY_TOPIC = '*';

export const matchesTopic = (topics: readonly string[], topic: string): boolean =>
  topics.includes(ANY_TOPIC) || topics.includes(topic);
