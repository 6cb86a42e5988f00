import { ApiError, type Client } from '../../client/index.ts';
import { envelopeOf } from '../../webhooks/inbox.ts';
import { flag } from '../flags.ts';
import { print } from '../print.ts';
import { commaList, httpUrl, wholeNumber } from '../readers.ts';
import { untilStopped } from '../until-stopped.ts';
import type { Verb } from '../verb.ts';
import { type LocalDelivery, startLocalReceiver } from './local-receiver.ts';

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

/** `billing-emulator listen`: prints webhooks as they arrive, and forwards them. */
export const listenVerb: Verb = {
  usage: 'listen',
  about: 'Listen for webhook events until stopped, and print each with its response',
  flags: [
    flag('--forward-to <url>', 'Forward each delivery byte for byte to this receiver', {
      read: httpUrl,
    }),
    flag('--topics <names>', 'Topics to listen for, comma-separated', {
      read: commaList,
      preset: ['*'],
    }),
    flag('--connect', 'Listen for the events of connected accounts instead'),
    flag('--print-secret', 'Print the signing secret'),
    flag('--bind <host>', 'Address to listen on', { preset: '127.0.0.1' }),
    flag('--port <number>', 'Port to listen on; 0 picks a free one', {
      read: wholeNumber(0, 65_535),
      preset: 0,
    }),
    flag('--advertise <url>', 'URL at which the emulator reaches it, if different', {
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
    // A destination that a reset has already deleted is no error.
    await client.call('deleteWebhook', { path: { webhookId } }).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
    });
  } finally {
    await receiver.close();
  }
}

async function register(client: Client, flags: ListenFlags, address: string): Promise<string> {
  const { connect = false, forwardTo, printSecret, json } = flags;
  const body = { url: address, topics: [...flags.topics], connect };
  const { id, secret } = await client.call('createWebhook', { body });
  const shown = printSecret ? { secret } : {};
  if (json) {
    print(JSON.stringify({ kind: 'listening', destination_id: id, ...body, ...shown }));
    return id;
  }
  const onward = forwardTo === undefined ? '' : `, forwarded to ${forwardTo}`;
  print(`${id} receives ${body.topics.join(', ')}${onward}. Stop with Ctrl+C.`);
  if (printSecret) print(`Secret: ${secret}`);
  return id;
}

/** Formats a delivery as an object for one line of JSON. */
function recordOfDelivery({ headers, body, answer, answered }: LocalDelivery): object {
  const event = envelopeOf(body.toString('utf8'));
  return {
    kind: 'event',
    signature: signatureOf(headers),
    ...(event === undefined ? { body: body.toString('utf8') } : { event }),
    answered,
    forwarded: answer
      ? {
          status_code: answer.status_code,
          body: answer.text,
          error: answer.error,
          duration_ms: answer.duration_ms,
        }
      : null,
  };
}

/** Formats a delivery as text: the event, then the response or its data. */
function linesOfDelivery({ body, answer, answered }: LocalDelivery): string {
  const event = envelopeOf(body.toString('utf8'));
  const head = event
    ? [event['created'], event['type'], event['id']].join('  ')
    : `${body.length} bytes that are not an event`;
  if (!answer) return event ? `${head}\n  ${JSON.stringify(event['data'])}` : head;
  const outcome = answer.error ?? (answer.text === '' ? '' : firstLineOf(answer.text));
  const status = answer.status_code ?? `no response, passed on as ${answered}`;
  return `${head}\n  -> ${status} in ${answer.duration_ms} ms${outcome === '' ? '' : `: ${outcome}`}`;
}

function signatureOf(headers: LocalDelivery['headers']): string | null {
  const name = Object.keys(headers).find((each) => each.endsWith('-signature'));
  return name === undefined ? null : String(headers[name]);
}

const LONGEST_LINE = 200;

function firstLineOf(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
