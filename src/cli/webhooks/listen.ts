import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type Client, ConnectionError, describeCause } from '../../client/index.ts';
import { ADMIN_HEADER, HINT_HEADER } from '../../spec/header-names.ts';
import { envelopeOf } from '../../webhooks/inbox.ts';
import type { WorldCommand } from '../command.ts';
import { flag, httpUrl } from '../flags.ts';
import { print, printError, untilStopped } from '../print.ts';

interface ListenFlags {
  readonly url: string;
  readonly key: string;
  readonly token?: string;
  readonly forwardTo?: string;
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
    flag('--print-secret', 'Print the signing secret'),
  ],
  run: async (client, { flags }) => {
    await listen(client, flags as unknown as ListenFlags);
    return undefined;
  },
};

/** Pause before a broken connection is opened again. @units milliseconds */
const PAUSE_MS = 1_000;

/**
 * Takes deliveries over a connection to the emulator, until it is stopped. If the connection breaks after it was open, it is
 * opened again.
 *
 * @throws ConnectionError if no emulator responds, ApiError if it refuses
 */
async function listen(client: Client, flags: ListenFlags): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  void untilStopped().then(() => stopping.abort());
  const address = `${flags.url.replace(/\/$/, '')}/_emulator/relay/listen-${crypto.randomUUID()}`;
  let webhookId: string | undefined;
  let isOpen = false;
  const onOpen = async (url: string) => {
    isOpen = true;
    const isThere = webhookId !== undefined && (await isRegistered(client, webhookId));
    if (!isThere) webhookId = await register(client, flags, url);
  };
  try {
    while (!signal.aborted) {
      const error = await readStream(address, flags, signal, onOpen).catch((thrown) => thrown);
      if (signal.aborted) break;
      if (error instanceof ApiError || (webhookId === undefined && error)) throw error;
      if (isOpen) printError('The connection to the emulator broke. Connecting again.');
      isOpen = false;
      await pause(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    // A destination that a reset has already deleted is no error.
    if (webhookId !== undefined) await client.send('deleteWebhook', { path: { webhookId } });
  }
}

interface StreamedDelivery {
  readonly number: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Reads the lines of one connection to its end. `onOpen` is called with the URL of the destination. */
async function readStream(
  address: string,
  flags: ListenFlags,
  signal: AbortSignal,
  onOpen: (url: string) => Promise<void>,
): Promise<void> {
  const { url, key, token } = flags;
  const headers = { Authorization: `Bearer ${key}`, ...(token && { [ADMIN_HEADER]: token }) };
  const response = await fetch(address, { headers, signal }).catch((error: Error) => {
    throw new ConnectionError('unreachable', url, error);
  });
  const { ok, status, headers: received } = response;
  if (!ok) throw new ApiError('listen', status, await response.text(), received.get(HINT_HEADER));
  const answer = async (delivery: StreamedDelivery) => {
    const body = JSON.stringify(await deliver(delivery, flags));
    const type = { 'Content-Type': 'application/json' };
    await fetch(`${address}/${delivery.number}`, {
      method: 'POST',
      headers: { ...headers, ...type },
      body,
      signal,
    });
  };
  const input = Readable.fromWeb(response.body as ReadableStream);
  for await (const line of createInterface({ input })) {
    if (line === '') continue;
    const sent = JSON.parse(line) as StreamedDelivery | { readonly url: string };
    if ('url' in sent) await onOpen(sent.url);
    // A response that is lost fails the delivery, which is tried again. Meanwhile others arrive.
    else void answer(sent).catch(() => {});
  }
}

async function isRegistered(client: Client, webhookId: string): Promise<boolean> {
  const { status } = await client.send('getWebhook', { path: { webhookId } });
  return status === 200;
}

async function register(client: Client, flags: ListenFlags, url: string): Promise<string> {
  const { forwardTo, printSecret, json } = flags;
  const { id, secret } = await client.call('createWebhook', { body: { url } });
  const shown = printSecret ? { secret } : {};
  if (json) {
    print(JSON.stringify({ kind: 'listening', destination_id: id, url, ...shown }));
    return id;
  }
  const onward = forwardTo === undefined ? '' : `, forwarded to ${forwardTo}`;
  print(`${id} receives all events${onward}. Stop with Ctrl+C.`);
  if (printSecret) print(`Secret: ${secret}`);
  return id;
}

/** How many characters of a response the emulator gets, which keeps fewer. */
const MAX_BODY = 65_536;

/** Forwards a delivery and prints it. Returns the response, for the emulator. */
async function deliver(delivery: StreamedDelivery, { forwardTo, json }: ListenFlags) {
  const answer = forwardTo === undefined ? undefined : await forward(forwardTo, delivery);
  print(json ? recordOf(delivery, answer) : linesOf(delivery, answer));
  const { status_code, error, body } = answer ?? ACKNOWLEDGED;
  return { status_code, error, body: body.slice(0, MAX_BODY) };
}

const ACKNOWLEDGED = { status_code: 204, error: null, body: '' };

/** The outcome of a forwarded delivery: a response, or the reason there is none. */
interface ForwardedResponse {
  readonly status_code: number | null;
  readonly body: string;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** Formats a delivery, and the response of the receiver it was forwarded to, as one line of JSON. */
function recordOf({ headers, body }: StreamedDelivery, answer?: ForwardedResponse): string {
  const event = envelopeOf(body);
  const signature = Object.keys(headers).find((name) => /-signature$/i.test(name));
  return JSON.stringify({
    kind: 'event',
    signature: (signature && headers[signature]) ?? null,
    ...(event === undefined ? { body } : { event }),
    answered: answer ? answer.status_code : ACKNOWLEDGED.status_code,
    forwarded: answer ?? null,
  });
}

const LONGEST_LINE = 200;

/** Formats a delivery as text: the event, then the response or its data. */
function linesOf({ body }: StreamedDelivery, answer?: ForwardedResponse): string {
  const event = envelopeOf(body);
  const head = event
    ? [event['created'], event['type'], event['id']].join('  ')
    : `${body.length} bytes that are not an event`;
  if (!answer) return event ? `${head}\n  ${JSON.stringify(event['data'])}` : head;
  const [line = ''] = (answer.error ?? answer.body).trim().split('\n');
  const outcome = line === '' ? '' : `: ${line.slice(0, LONGEST_LINE)}`;
  return `${head}\n  -> ${answer.status_code ?? 'no response'} in ${answer.duration_ms} ms${outcome}`;
}

/** Shorter than the timeout of deliveries, so that they receive the reason. @units milliseconds */
const TIMEOUT = 14_000;

/** Sends a delivery to a receiver, with its headers and bytes unchanged. Never throws. */
async function forward(
  url: string,
  { headers, body }: StreamedDelivery,
): Promise<ForwardedResponse> {
  const start = performance.now();
  const ended = (answer: Omit<ForwardedResponse, 'duration_ms'>): ForwardedResponse => ({
    ...answer,
    duration_ms: Math.round(performance.now() - start),
  });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return ended({ status_code: response.status, body: await response.text(), error: null });
  } catch (error) {
    return ended({ status_code: null, body: '', error: describeCause(error as Error) });
  }
}
