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

/** What each code means, for the documentation. */
export const EXIT_MEANINGS: Readonly<Record<number, string>> = {
  0: 'done, stopped as asked, or all is well',
  [EXIT.failure]:
    'the emulator refused, a check or an expectation does not hold, or two worlds differ',
  [EXIT.usage]: 'a flag or a verb is wrong, or there is nothing of the name to compare',
  [EXIT.configuration]:
    'a setting or a fixture cannot be used, or the package of the contract suite is not installed',
  [EXIT.data]: 'the data file cannot be used or is damaged, or a file to import is not JSON',
  [EXIT.port]: 'the port cannot be listened on',
  [EXIT.unreachable]: 'no emulator answers at the address, or no service behind `proxy` or `twin`',
  11: 'the emulator differs from the service behind `twin`',
  12: 'nothing was compared',
};
