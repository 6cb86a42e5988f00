import { type Command, InvalidArgumentError } from 'commander';
import { ApiError } from '../../client/index.ts';
import { EXIT } from '../exit-codes.ts';
import {
  addRemoteFlags,
  type Remote,
  RemoteFailure,
  type RemoteFlags,
  withRemote,
} from '../remote.ts';
import { linesOfDelivery, recordOfDelivery } from './listen-print.ts';
import { type LocalDelivery, LocalReceiver } from './local-receiver.ts';

interface Flags extends RemoteFlags {
  readonly forwardTo?: string;
  readonly topics: readonly string[];
  readonly connect?: boolean;
  readonly printSecret?: boolean;
  readonly bind: string;
  readonly port: number;
  readonly advertise?: string;
}

/** `billing-emulator listen`: shows webhooks as they come, and sends them on. */
export function addListen(program: Command): void {
  const command = program
    .command('listen')
    .description('Hear of events until stopped: print each with the answer it got')
    .option('--forward-to <url>', 'Receiver that each delivery is sent on to, byte by byte', url)
    .option('--topics <names>', 'Topics to hear of, separated by commas', names, ['*'])
    .option('--connect', 'Hear of the events of connected accounts instead')
    .option('--print-secret', 'Print the secret that deliveries are signed with')
    .option('--bind <host>', 'Address to listen on', '127.0.0.1')
    .option('--port <number>', 'Port to listen on; 0 takes any free one', port, 0)
    .option('--advertise <url>', 'How the emulator reaches it, where that is another address', url);
  addRemoteFlags(command).action((flags: Flags) =>
    withRemote(flags, (remote) => listen(remote, flags)),
  );
}

async function listen(remote: Remote, flags: Flags): Promise<void> {
  const stopped = untilStopped();
  const receiver = new LocalReceiver({
    host: flags.bind,
    port: flags.port,
    forwardTo: flags.forwardTo,
    onDelivery: (delivery) => print(flags, delivery),
  });
  try {
    const own = await open(receiver, flags);
    const id = await register(remote, flags, flags.advertise ?? own);
    await stopped;
    await remove(remote, id);
  } finally {
    receiver.close();
  }
}

/** Waits for a signal, or for the reader of the output to go away. */
function untilStopped(): Promise<void> {
  process.stdout.removeAllListeners('error');
  return new Promise((resolve) => {
    process.stdout.on('error', () => resolve());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve());
  });
}

async function open(receiver: LocalReceiver, { bind, port }: Flags): Promise<string> {
  try {
    return await receiver.listen();
  } catch (error) {
    const reason = (error as Error).message;
    throw new RemoteFailure(`Cannot listen on ${bind}:${port}: ${reason}`, EXIT.port);
  }
}

/** Registers the destination and says so; answers its id. */
async function register(remote: Remote, flags: Flags, address: string): Promise<string> {
  const { topics, connect = false, forwardTo, printSecret, json } = flags;
  const body = { url: address, topics, connect };
  const { id, secret } = await remote.call('createWebhook', { body });
  const shown = printSecret ? { secret } : {};
  if (json) {
    const record = { kind: 'listening', destination_id: id, ...body, ...shown };
    process.stdout.write(`${JSON.stringify(record)}\n`);
    return id;
  }
  const onward = forwardTo === undefined ? '' : `, sent on to ${forwardTo}`;
  process.stdout.write(`${id} hears of ${topics.join(', ')}${onward}. Stop with Ctrl+C.\n`);
  if (printSecret) process.stdout.write(`Secret: ${secret}\n`);
  return id;
}

function print({ json }: Flags, delivery: LocalDelivery): void {
  const text = json ? JSON.stringify(recordOfDelivery(delivery)) : linesOfDelivery(delivery);
  process.stdout.write(`${text}\n`);
}

/** Removes the destination; one that is gone already, as after a reset, is none to report. */
async function remove(remote: Remote, webhookId: string): Promise<void> {
  try {
    await remote.call('deleteWebhook', { path: { webhookId } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

function names(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}

function url(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new InvalidArgumentError('Expected an http or https address.');
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('Expected a whole number from 0 to 65535.');
}
