/** The topic that matches every topic. */
export const ANY_TOPIC = '*';

/** Whether a destination with these topics receives a topic. */
export const hears = (topics: readonly string[], topic: string): boolean =>
  topics.includes(ANY_TOPIC) || topics.includes(topic);
