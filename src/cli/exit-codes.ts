/** What the process ends with, so that scripts can tell causes apart. */
export const EXIT = {
  usage: 2,
  configuration: 3,
  data: 4,
  port: 5,
} as const;
