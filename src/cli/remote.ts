import { type Command, Option } from 'commander';
import { ADMIN_HEADER } from '../control/access.ts';
import type { ControlId, ControlReply } from '../control/context.ts';
import { addressOf } from '../http/in-process-client.ts';
import { loadDocument } from '../spec/document.ts';
import type { OperationId, Reply } from '../spec/operations.ts';
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
  /** The body as JSON text, in place of it. */
  readonly text?: string;
}

type AnyId = ControlId | OperationId;
type ReplyTo<Id> = Id extends ControlId
  ? ControlReply<Id>
  : Id extends OperationId
    ? Reply<Id>
    : never;
type BodyOf<R> = R extends { status: 200 | 201 | 202; body: infer B } ? B : never;

/** A client of a running emulator: of its control interface and of the service's. */
export interface Remote {
  /** Calls an operation and answers its body. */
  call<Id extends AnyId>(id: Id, parts?: RemoteParts): Promise<BodyOf<ReplyTo<Id>>>;
  /** Calls an operation and answers the text it sends, its numbers to the last digit. */
  read(id: AnyId, parts?: RemoteParts, accept?: string): Promise<string>;
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
    if (!(error instanceof RemoteFailure)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}

export function remoteOf({ url, key }: RemoteFlags): Remote {
  async function read(id: AnyId, parts: RemoteParts = {}, accept = 'application/json') {
    const { method, address } = placeOf(url, id, parts);
    const token = process.env['BILLING_EMULATOR_ADMIN_TOKEN'];
    const body = parts.text ?? (parts.body === undefined ? undefined : JSON.stringify(parts.body));
    const response = await send(address, {
      method,
      headers: {
        Accept: accept,
        Authorization: `Bearer ${key}`,
        ...(token && { [ADMIN_HEADER]: token }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text().catch((error: Error) => {
      throw new RemoteFailure(
        `${address} broke off in the midst of its answer (${error.message}).`,
        EXIT.unreachable,
      );
    });
    if (!response.ok) throw new RemoteFailure(explain(response.status, text), EXIT.failure);
    return text;
  }

  return {
    read,
    call: async (id, parts) => {
      const text = await read(id, parts);
      return text === '' ? undefined : JSON.parse(text);
    },
  };
}

function placeOf(url: string, call: AnyId, parts: RemoteParts) {
  const control = loadDocument('control');
  const document = control.operations.has(call) ? control : loadDocument('openapi');
  const { method, path, search } = addressOf(document, { call, ...parts });
  const query = search === '' ? '' : `?${search}`;
  return { method, address: `${url.replace(/\/$/, '')}${path}${query}` };
}

/** Said without the value, which may be secret. */
const UNSENDABLE = 'The key or the admin token holds characters that no header can carry.';

async function send(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (error) {
    const cause = (error as Error).cause as Error | undefined;
    if (!cause) throw new RemoteFailure(UNSENDABLE, EXIT.usage);
    const reason = cause?.message || (cause as { code?: string } | undefined)?.code || error;
    throw new RemoteFailure(
      `No emulator answers at ${address} (${reason}). Start one with: billing-emulator start`,
      EXIT.unreachable,
    );
  }
}

interface RefusalBody {
  readonly detail: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** Of a wait that was given up. */
  readonly nearest?: readonly {
    readonly differs: readonly string[];
    readonly request: {
      readonly ordinal: number;
      readonly method: string;
      readonly path: string;
      readonly status: number;
    };
  }[];
}

/** Most fields of a refusal that are listed, as an import may have a thousand. */
const MOST_LINES = 20;

/** What a refusal says, in lines for a person. */
function explain(status: number, text: string): string {
  if (status === 401)
    return 'The key is not valid there, or BILLING_EMULATOR_ADMIN_TOKEN does not hold its token.';
  if (status === 404 && text === '') return 'There is no such thing in that world.';
  if (status === 409 && text === '')
    return 'It is there already, or an advance of the clock is under way.';
  try {
    const { detail, errors = {}, nearest = [] } = JSON.parse(text) as RefusalBody;
    const lines = Object.entries(errors).map(([field, found]) => `  ${field}: ${found.join(' ')}`);
    const near = nearest.map(
      ({ differs, request: { ordinal, method, path, status } }) =>
        `  nearest: ${ordinal} ${method} ${path} ${status}, other ${differs.join(', ')}`,
    );
    const left = lines.length - MOST_LINES;
    const rest = left > 0 ? [`  and ${left} more.`] : [];
    return [detail, ...lines.slice(0, MOST_LINES), ...rest, ...near].join('\n');
  } catch {
    return `Answered ${status}: ${text.slice(0, 200)}`;
  }
}
