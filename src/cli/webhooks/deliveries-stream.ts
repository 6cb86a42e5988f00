import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, ConnectionError } from '../../client/index.ts';
import { ADMIN_HEADER } from '../../spec/address.ts';
import { printError } from '../print.ts';

/** Pause before a broken connection is opened again. @units milliseconds */
const PAUSE_MS = 1_000;

export interface StreamedDelivery {
  readonly number: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface StreamOptions {
  readonly url: string;
  readonly key: string;
  readonly token?: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called with the URL of the destination, each time that it is connected. */
  readonly onOpen: (url: string) => Promise<void>;
  /** Returns what the receiver responded. Deliveries arrive while others are still being handled. */
  readonly onDelivery: (delivery: StreamedDelivery) => Promise<object>;
}

/**
 * Takes deliveries over a connection to the emulator, until the signal aborts it. If the connection breaks after it was
 * open, it is opened again.
 *
 * @throws ConnectionError if no emulator responds, ApiError if it refuses
 */
export async function streamDeliveries(options: StreamOptions): Promise<void> {
  const { signal } = options;
  const address = `${options.url.replace(/\/$/, '')}/_emulator/relay/listen-${crypto.randomUUID()}`;
  const state = { wasOpen: false, isOpen: false };
  const onOpen = async (url: string) => {
    Object.assign(state, { wasOpen: true, isOpen: true });
    await options.onOpen(url);
  };
  while (!signal.aborted) {
    const error = await readStream(address, { ...options, onOpen }).catch((thrown) => thrown);
    if (signal.aborted) return;
    if (error instanceof ApiError || (!state.wasOpen && error)) throw error;
    if (state.isOpen) printError('The connection to the emulator broke. Connecting again.');
    state.isOpen = false;
    await pause(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

/** Reads the lines of one connection to its end. */
async function readStream(address: string, options: StreamOptions): Promise<void> {
  const { key, token, signal, onOpen, onDelivery } = options;
  const headers = { Authorization: `Bearer ${key}`, ...(token && { [ADMIN_HEADER]: token }) };
  const response = await fetch(address, { headers, signal }).catch((error: Error) => {
    throw new ConnectionError('unreachable', options.url, error);
  });
  if (!response.ok) throw new ApiError('listen', response.status, await response.text());
  const answer = async (delivery: StreamedDelivery) => {
    const body = JSON.stringify(await onDelivery(delivery));
    const type = { 'Content-Type': 'application/json' };
    await fetch(`${address}/${delivery.number}`, {
      ...{ method: 'POST', headers: { ...headers, ...type }, body, signal },
    });
  };
  const input = Readable.fromWeb(response.body as ReadableStream);
  for await (const line of createInterface({ input })) {
    if (line === '') continue;
    const sent = JSON.parse(line) as StreamedDelivery | { readonly url: string };
    if ('url' in sent) await onOpen(sent.url);
    // A response that is lost fails the delivery, which is tried again.
    else void answer(sent).catch(() => {});
  }
}
