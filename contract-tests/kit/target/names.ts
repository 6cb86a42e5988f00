import { randomUUID } from 'node:crypto';
import { currentSession } from './session.ts';

/** Values unique to the run, and recognisable as the suite's. */

export const uuid = (): string => randomUUID();

/** A unique name such as `contract-r0-7`. */
export function unique(kind = ''): string {
  const { plan, nextNumber } = currentSession();
  return ['contract', kind, plan.runId, nextNumber()].filter((part) => part !== '').join('-');
}

export function uniqueAssetCode(): string {
  const { plan, own, nextNumber } = currentSession();
  const code = `CT${plan.runId.toUpperCase()}N${String(nextNumber()).padStart(4, '0')}`;
  own.add(code);
  return code;
}

export function uniqueSubject(): string {
  const { plan, nextNumber } = currentSession();
  return `contract:${plan.runId}:${nextNumber()}`;
}

/** Metadata that marks an object as created by the suite. */
export function runMark(): { readonly contract_run: string } {
  return { contract_run: currentSession().plan.runId };
}

/** A well-formed id of this prefix for which no object exists; a UUID when the prefix is empty. */
export function unknownId(prefix = ''): string {
  const { own } = currentSession();
  const id = prefix === '' ? uuid() : `${prefix}_contractunknown${currentSession().nextNumber()}`;
  own.add(id);
  return id;
}

/** An id in all its spellings: that of a webhook destination with the prefix `dst_`, and with `whd_`. */
export const spellingsOf = (id: string): readonly string[] =>
  /^(dst|whd)_/.test(id) ? ['dst_', 'whd_'].map((kind) => id.replace(/^..._/, kind)) : [id];

/** The current time of the target, from its Date header, plus an offset. */
export function now(offsetMs = 0): string {
  const { plan } = currentSession();
  return new Date(Date.now() + plan.target.clockSkewMs + offsetMs).toISOString();
}

/** The target's current UTC date, plus an offset in days. */
export const today = (offsetDays = 0): string => now(offsetDays * 86_400_000).slice(0, 10);
