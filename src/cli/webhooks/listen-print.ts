import { envelopeOf } from '../../webhooks/inbox.ts';
import type { LocalDelivery } from './local-receiver.ts';

/** A delivery as one line of JSON holds it. */
export function recordOfDelivery({ headers, body, answer, answered }: LocalDelivery): object {
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

/** A delivery for a person: what it is about, then what it was answered, or its data. */
export function linesOfDelivery({ body, answer, answered }: LocalDelivery): string {
  const event = envelopeOf(body.toString('utf8'));
  const head = event
    ? [event['created'], event['type'], event['id']].join('  ')
    : `${body.length} bytes that are no event`;
  if (!answer) return event ? `${head}\n  ${JSON.stringify(event['data'])}` : head;
  const outcome = answer.error ?? (answer.text === '' ? '' : firstLineOf(answer.text));
  const status = answer.status_code ?? `no answer, passed on as ${answered}`;
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
