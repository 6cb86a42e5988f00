import { type Command, Option } from 'commander';
import { ApiError, type ClientAnswer, ConnectionError, createClient } from '../client/index.ts';
import type { components } from '../spec/control.d.ts';
import type { AnyOperationId } from '../spec/operations.ts';
import { DEFAULT_SANDBOX } from '../state/worlds.ts';
import { EXIT } from './exit-codes.ts';

/** What every verb that talks to a running emulator can be told. */
export interface RemoteFlags {
  readonly url: string;
  readonly key: string;
  /** Print the answer as it came. */
  readonly json?: boolean;
}

export interface RemoteParts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of a running emulator, whose requests are made of texts that were typed. */
export interface Remote {
  call<Id extends AnyOperationId>(id: Id, parts?: RemoteParts): Promise<ClientAnswer<Id>>;
  read(id: AnyOperationId, parts?: RemoteParts): Promise<string>;
}

/** A call that was not answered as hoped, with what the process ends with. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';

  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

export function addRemoteFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'Where the emulator answers')
        .env('BILLING_EMULATOR_URL')
        .default('http://127.0.0.1:24100'),
    )
    .addOption(
      new Option('--key <key>', 'Key of the world')
        .env('BILLING_EMULATOR_KEY')
        .default(`key_test_${DEFAULT_SANDBOX}`),
    )
    .option('--json', 'Print the answer as JSON');
}

/** Runs the work of a verb; a call that fails is printed and ends the process with its exit code. */
export async function withRemote<F extends RemoteFlags>(
  flags: F,
  work: (remote: Remote) => Promise<void>,
): Promise<void> {
  try {
    await work(remoteOf(flags));
  } catch (error) {
    const { message, exitCode } = failureOf(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = exitCode;
  }
}

export function remoteOf({ url, key }: RemoteFlags): Remote {
  const token = process.env['BILLING_EMULATOR_ADMIN_TOKEN'];
  return createClient({ url, key, token }) as Remote;
}

const CONNECTION_EXITS = {
  unsendable: EXIT.usage,
  unreachable: EXIT.unreachable,
  interrupted: EXIT.unreachable,
};

/** What a person is told of an error, and what the process ends with. @throws what is no failed call */
function failureOf(error: unknown): Pick<RemoteFailure, 'message' | 'exitCode'> {
  if (error instanceof RemoteFailure) return error;
  if (error instanceof ApiError) return { message: explain(error), exitCode: EXIT.failure };
  if (!(error instanceof ConnectionError)) throw error;
  const hint = error.failure === 'unreachable' ? ' Start one with: billing-emulator start' : '';
  return { message: error.message + hint, exitCode: CONNECTION_EXITS[error.failure] };
}

/** Most fields of a refusal that are listed, as an import may have a thousand. */
const MOST_LINES = 20;

/** What a refusal says, in lines for a person. */
function explain({ status, text, problem }: ApiError): string {
  if (status === 401)
    return 'The key is not valid there, or BILLING_EMULATOR_ADMIN_TOKEN does not hold its token.';
  if (status === 404 && text === '') return 'There is no such thing in that world.';
  if (status === 409 && text === '')
    return 'It is there already, or an advance of the clock is under way.';
  if (problem?.detail === undefined) return `Answered ${status}: ${text.slice(0, 200)}`;
  const { detail, errors = {}, nearest = [] } = problem;
  const lines = Object.entries(errors).map(([field, found]) => `  ${field}: ${found.join(' ')}`);
  const near = (nearest as readonly NearMiss[]).map(
    ({ differs, item }) => `  nearest: ${nameOf(item)}, other ${differs.join(', ')}`,
  );
  const left = lines.length - MOST_LINES;
  const rest = left > 0 ? [`  and ${left} more.`] : [];
  return [detail, ...lines.slice(0, MOST_LINES), ...rest, ...near].join('\n');
}

type NearMiss = components['schemas']['NearMiss'];

/** A request or a delivery that came near what was waited for. */
function nameOf(item: NearMiss['item']): string {
  if ('topic' in item) return `${item.id} ${item.topic} ${item.status}`;
  return `${item.ordinal} ${item.method} ${item.path} ${item.status}`;
}
