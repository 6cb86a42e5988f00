/** The topic that stands for all of them. */
export const ANY_TOPIC = '*';

/** Whether a destination that listens to some topics hears of one. */
export const hears = (topics: readonly string[], topic: string): boolean =>
  topics.includes(ANY_TOPIC) || topics.includes(topic);
