import { ApiError, type Client } from '../../client/index.ts';
import { flag } from '../flags.ts';
import { print } from '../print.ts';
import { commaList, httpUrl, wholeNumber } from '../readers.ts';
import { untilStopped } from '../until-stopped.ts';
import type { Verb } from '../verb.ts';
import { linesOfDelivery, recordOfDelivery } from './listen-print.ts';
import { startLocalReceiver } from './local-receiver.ts';

interface ListenFlags {
  readonly forwardTo?: string;
  readonly topics: readonly string[];
  readonly connect?: boolean;
  readonly printSecret?: boolean;
  readonly bind: string;
  readonly port: number;
  readonly advertise?: string;
  readonly json?: boolean;
}

/** `billing-emulator listen`: shows webhooks as they come, and forwards them. */
export const listenVerb: Verb = {
  usage: 'listen',
  about: 'Listen for webhook events until stopped: print each with the answer it got',
  flags: [
    flag('--forward-to <url>', 'Receiver that each delivery is forwarded to, byte by byte', {
      read: httpUrl,
    }),
    flag('--topics <names>', 'Topics to listen for, separated by commas', {
      read: commaList,
      preset: ['*'],
    }),
    flag('--connect', 'Listen for the events of connected accounts instead'),
    flag('--print-secret', 'Print the secret that deliveries are signed with'),
    flag('--bind <host>', 'Address to listen on', { preset: '127.0.0.1' }),
    flag('--port <number>', 'Port to listen on; 0 takes any free one', {
      read: wholeNumber(0, 65_535),
      preset: 0,
    }),
    flag('--advertise <url>', 'How the emulator reaches it, where that is another address', {
      read: httpUrl,
    }),
  ],
  run: async (client, { flags }) => {
    await listen(client, flags as unknown as ListenFlags);
    return undefined;
  },
};

async function listen(client: Client, flags: ListenFlags): Promise<void> {
  const stopped = untilStopped();
  const receiver = await startLocalReceiver({
    host: flags.bind,
    port: flags.port,
    forwardTo: flags.forwardTo,
    onDelivery: (delivery) =>
      print(flags.json ? JSON.stringify(recordOfDelivery(delivery)) : linesOfDelivery(delivery)),
  });
  try {
    const webhookId = await register(client, flags, flags.advertise ?? `${receiver.url}/`);
    await stopped;
    // One that is gone already, as after a reset, is none to report.
    await client.call('deleteWebhook', { path: { webhookId } }).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
    });
  } finally {
    await receiver.close();
  }
}

/** Registers the destination and prints it; answers its id. */
async function register(client: Client, flags: ListenFlags, address: string): Promise<string> {
  const { connect = false, forwardTo, printSecret, json } = flags;
  const body = { url: address, topics: [...flags.topics], connect };
  const { id, secret } = await client.call('createWebhook', { body });
  const shown = printSecret ? { secret } : {};
  if (json) {
    print(JSON.stringify({ kind: 'listening', destination_id: id, ...body, ...shown }));
    return id;
  }
  const onward = forwardTo === undefined ? '' : `, sent on to ${forwardTo}`;
  print(`${id} hears of ${body.topics.join(', ')}${onward}. Stop with Ctrl+C.`);
  if (printSecret) print(`Secret: ${secret}`);
  return id;
}
