import { inspect } from 'node:util';
import { ApiError, ConnectionError } from '../client/index.ts';
import type { components } from '../spec/control.d.ts';
import { shortenLiveKeys } from '../text/wording.ts';
import { printError } from './print.ts';

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
  12: '`twin` compared nothing',
};

/** An error that ends a command with an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

const CONNECTION_EXITS = {
  unsendable: EXIT.usage,
  unreachable: EXIT.unreachable,
  interrupted: EXIT.unreachable,
  aborted: EXIT.unreachable,
} as const;

/** Exit codes of the emulator's errors by name, so that no command loads the emulator to identify them. */
const NAMED_EXITS: Readonly<Record<string, number>> = {
  SettingsError: EXIT.configuration,
  FixtureError: EXIT.configuration,
  DataError: EXIT.data,
};

/** What the system does to listen on a host and port. */
const LISTENING = new Set(['listen', 'getaddrinfo']);

/** Prints why a command failed, or the stack of a defect of the program, and ends the process. */
export function reportFailure(error: unknown): never {
  const exitCode = exitCodeOf(error);
  const text = exitCode === undefined ? inspect(error) : describeFailure(error as Error);
  printError(shortenLiveKeys(text));
  process.exit(exitCode ?? EXIT.failure);
}

/** Returns the exit code of an error, or undefined for a defect of the program. */
export function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof ApiError) return EXIT.failure;
  if (error instanceof ConnectionError) return CONNECTION_EXITS[error.failure];
  const { name, syscall } = Object(error) as NodeJS.ErrnoException;
  // An error of the system: a file or an address that cannot be used.
  if (syscall !== undefined) return LISTENING.has(syscall) ? EXIT.port : EXIT.failure;
  return NAMED_EXITS[name];
}

export function describeFailure(error: Error): string {
  if (error instanceof ApiError) return describeRefusal(error);
  const { code, syscall, address, port } = error as Error & Readonly<Record<string, unknown>>;
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return `Port ${port} of ${address} is in use. Choose another with --port; --port 0 picks a free one.`;
  const isUnreachable = error instanceof ConnectionError && error.failure === 'unreachable';
  return isUnreachable ? `${error.message} Start one with: billing-emulator start` : error.message;
}

/** Maximum fields printed of a rejected request, because an import can have a thousand. */
const MAX_LINES = 20;

function describeRefusal({ status, text, problem, hint }: ApiError): string {
  if (text === '' && hint) return hint;
  if (status === 401)
    return 'The key is not valid there, or BILLING_EMULATOR_ADMIN_TOKEN is not its token.';
  if (status === 404 && text === '') return 'Not found in that world.';
  if (problem?.detail === undefined) return `Responded ${status}: ${text.slice(0, 200)}`;
  const { detail, errors = {}, nearest = [] } = problem;
  const lines = Object.entries(errors).map(([field, found]) => `  ${field}: ${found.join(' ')}`);
  const near = (nearest as readonly NearMiss[]).map(
    ({ differs, item }) => `  nearest: ${nameOf(item)}, different ${differs.join(', ')}`,
  );
  const left = lines.length - MAX_LINES;
  const rest = left > 0 ? [`  and ${left} more.`] : [];
  return [detail, ...lines.slice(0, MAX_LINES), ...rest, ...near].join('\n');
}

type NearMiss = components['schemas']['NearMiss'];

/** A request or a delivery that almost matched what was waited for. */
function nameOf(item: NearMiss['item']): string {
  if ('topic' in item) return `${item.id} ${item.topic} ${item.status}`;
  return `${item.ordinal} ${item.method} ${item.path} ${item.status}`;
}
