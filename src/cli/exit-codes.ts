/** Exit codes, which let scripts distinguish the causes. */
export const EXIT = {
  /** The emulator rejected the request, or a check failed. */
  failure: 1,
  usage: 2,
  configuration: 3,
  data: 4,
  port: 5,
  /** No emulator responds at the URL, or no service behind the proxy. */
  unreachable: 6,
} as const;

/** The meaning of each code, for the documentation. */
export const EXIT_MEANINGS: Readonly<Record<number, string>> = {
  0: 'success, or stopped as requested',
  [EXIT.failure]:
    'the emulator rejected the request, a check or an expectation failed, or two worlds differ',
  [EXIT.usage]: 'a flag or a command is invalid, or something to compare does not exist',
  [EXIT.configuration]:
    'a setting or a fixture is invalid, or the package of the contract suite is not installed',
  [EXIT.data]: 'the data file is unusable or damaged, or a file to import is not JSON',
  [EXIT.port]: 'cannot listen on the port',
  [EXIT.unreachable]: 'no emulator responds at the URL, or no service behind `proxy` or `twin`',
  11: 'the emulator differs from the service behind `twin`',
  12: 'nothing was compared',
};
