import { ApiError, type Client } from '../../client/index.ts';
import { envelopeOf } from '../../webhooks/inbox.ts';
import type { WorldCommand } from '../command.ts';
import { flag } from '../flags.ts';
import { print, untilStopped } from '../print.ts';
import { commaList, httpUrl } from '../readers.ts';
import { type StreamedDelivery, streamDeliveries } from './deliveries-stream.ts';

interface ListenFlags {
  readonly url: string;
  readonly key: string;
  readonly token?: string;
  readonly forwardTo?: string;
  readonly topics: readonly string[];
  readonly connect?: boolean;
  readonly printSecret?: boolean;
  readonly json?: boolean;
}

/** `billing-emulator listen`: prints webhooks as they arrive, and forwards them. */
export const listenCommand: WorldCommand = {
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
  ],
  run: async (client, { flags }) => {
    await listen(client, flags as unknown as ListenFlags);
    return undefined;
  },
};

async function listen(client: Client, flags: ListenFlags): Promise<void> {
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  let webhookId: string | undefined;
  try {
    await streamDeliveries({
      ...flags,
      signal: stopping.signal,
      async onOpen(url) {
        const isThere = webhookId !== undefined && (await isRegistered(client, webhookId));
        if (!isThere) webhookId = await register(client, flags, url);
      },
      onDelivery: (delivery) => deliver(delivery, flags),
    });
  } finally {
    // A destination that a reset has already deleted is no error.
    if (webhookId !== undefined)
      await client.call('deleteWebhook', { path: { webhookId } }).catch(unlessRejected);
  }
}

/** Forwards a delivery and prints it. Returns the response, for the emulator. */
async function deliver(delivery: StreamedDelivery, { forwardTo, json }: ListenFlags) {
  const answer = forwardTo === undefined ? undefined : await forward(forwardTo, delivery);
  const answered = { ...delivery, answer };
  print(json ? JSON.stringify(recordOfDelivery(answered)) : linesOfDelivery(answered));
  const { status_code, error, body } = answer ?? ACKNOWLEDGED;
  return { status_code, error, body: body.slice(0, MAX_BODY) };
}

const ACKNOWLEDGED = { status_code: 204, error: null, body: '' };

/** How many characters of a response the emulator gets; it keeps no more. */
const MAX_BODY = 65_536;

async function isRegistered(client: Client, webhookId: string): Promise<boolean> {
  const { status } = await client.send('getWebhook', { path: { webhookId } });
  return status === 200;
}

function unlessRejected(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
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

/** A delivery, and the response of the receiver it was forwarded to, if any. */
interface ListenedDelivery extends StreamedDelivery {
  readonly answer: ForwardedResponse | undefined;
}

/** Formats a delivery as an object for one line of JSON. */
function recordOfDelivery({ headers, body, answer }: ListenedDelivery): object {
  const event = envelopeOf(body);
  return {
    kind: 'event',
    signature: signatureOf(headers),
    ...(event === undefined ? { body } : { event }),
    answered: answer ? answer.status_code : ACKNOWLEDGED.status_code,
    forwarded: answer ?? null,
  };
}

/** Formats a delivery as text: the event, then the response or its data. */
function linesOfDelivery({ body, answer }: ListenedDelivery): string {
  const event = envelopeOf(body);
  const head = event
    ? [event['created'], event['type'], event['id']].join('  ')
    : `${body.length} bytes that are not an event`;
  if (!answer) return event ? `${head}\n  ${JSON.stringify(event['data'])}` : head;
  const outcome = answer.error ?? (answer.body === '' ? '' : firstLineOf(answer.body));
  const status = answer.status_code ?? 'no response';
  return `${head}\n  -> ${status} in ${answer.duration_ms} ms${outcome === '' ? '' : `: ${outcome}`}`;
}

function signatureOf(headers: StreamedDelivery['headers']): string | null {
  const found = Object.entries(headers).find(([name]) => /-signature$/i.test(name));
  return found?.[1] ?? null;
}

const LONGEST_LINE = 200;

function firstLineOf(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

/** The outcome of a forwarded delivery: a response, or the reason there is none. */
interface ForwardedResponse {
  readonly status_code: number | null;
  readonly body: string;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** Shorter than the timeout of deliveries, so that they receive the reason. @units milliseconds */
const TIMEOUT = 14_000;

/** Sends a delivery to a receiver, with its headers and bytes unchanged. Never throws. */
export async function forward(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<ForwardedResponse> {
  const start = performance.now();
  const ended = (answer: Omit<ForwardedResponse, 'duration_ms'>): ForwardedResponse => ({
    ...answer,
    duration_ms: Math.round(performance.now() - start),
  });
  try {
    const response = await fetch(url, {
      ...{ method: 'POST', headers, body, redirect: 'manual' },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return ended({ status_code: response.status, body: await response.text(), error: null });
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return ended({ status_code: null, body: '', error: reason });
  }
}
