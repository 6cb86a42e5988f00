/** What the process ends with, so that scripts can tell causes apart. */
export const EXIT = {
  /** The emulator refused, or a check found something. */
  failure: 1,
  usage: 2,
  configuration: 3,
  data: 4,
  port: 5,
  /** No emulator answers at the address, or no service behind the proxy. */
  unreachable: 6,
} as const;
