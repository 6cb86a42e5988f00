import { STATUS_CODES } from 'node:http';
import type { VNode } from 'preact';

/** How good something is: fine, worth a look, bad, or neither. */
export type Tone = 'ok' | 'warn' | 'fail' | 'none';

interface BadgeProps {
  readonly text: string;
  readonly tone: Tone;
  readonly testId?: string;
}

/** A state as a word with a colour. */
export function Badge({ text, tone, testId }: BadgeProps): VNode {
  return (
    <span class={tone === 'none' ? 'badge' : `badge ${tone}`} data-testid={testId}>
      {text}
    </span>
  );
}

/** A status of HTTP as its number and its words. */
export function Status({ status }: { readonly status: number }): VNode {
  return (
    <span class={`status ${toneOf(status)}`}>
      <b>{status}</b> <span>{STATUS_CODES[status] ?? ''}</span>
    </span>
  );
}

/** How good a status is. */
export const toneOf = (status: number): Tone => {
  if (status < 400) return 'ok';
  return status < 500 ? 'warn' : 'fail';
};

export function Method({ method }: { readonly method: string }): VNode {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>;
}
