import type { IncomingMessage } from 'node:http';
import { onLoopback } from '../kit/loopback.ts';
import { eachValue, type Mutant, type WebhookRequest } from './mutant.ts';

const LOCAL = /^http:\/\/(127\.0\.0\.1|localhost)[:/]/;

/** Starts a server between the emulator and receivers on this machine, which edits what they get. */
export async function startRelay(change: (delivery: WebhookRequest) => void) {
  const { baseUrl, close } = await onLoopback(async (request, response) => {
    const to = decodeURIComponent(request.url?.slice('/?to='.length) ?? '');
    const body = await textOf(request);
    const delivery = { headers: request.headers as Record<string, string>, body: JSON.parse(body) };
    const before = JSON.stringify(delivery.body);
    change(delivery);
    const { host: _, 'content-length': __, connection: ___, ...headers } = delivery.headers;
    const changed = JSON.stringify(delivery.body);
    const sent = changed === before ? body : changed;
    try {
      const { status } = await fetch(to, {
        method: 'POST',
        headers,
        body: sent,
        redirect: 'manual',
      });
      response.writeHead(status).end();
    } catch {
      response.destroy();
    }
  });
  const relayed = `${baseUrl}/?to=`;
  const mutant: Partial<Mutant> = {
    of: ['createWebhook', 'updateWebhook', 'getWebhook', 'listWebhooks'],
    request({ body }) {
      if (LOCAL.test(body?.url)) body.url = relayed + encodeURIComponent(body.url);
    },
    response({ body }) {
      eachValue(body, (value, name, holder) => {
        if (name === 'url' && value?.startsWith?.(relayed))
          holder.url = decodeURIComponent(value.slice(relayed.length));
      });
    },
  };
  return { mutant, close };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
