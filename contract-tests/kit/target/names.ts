import { createHash } from 'node:crypto';
import { currentSession } from './session.ts';

/** Values that are the run's own: unique, repeatable, and recognisable as the suite's. */

/** A UUID not given before in this run. */
export function uuid(): string {
  const { plan, nextNumber } = currentSession();
  return uuidOf(plan.runId, nextNumber());
}

/** A name such as `contract-r0-7`, which nobody else has. */
export function unique(kind = ''): string {
  const { plan, nextNumber } = currentSession();
  return ['contract', kind, plan.runId, nextNumber()].filter((part) => part !== '').join('-');
}

/** An asset code nobody else has. */
export function uniqueAssetCode(): string {
  const { plan, own, nextNumber } = currentSession();
  const code = `CT${plan.runId.toUpperCase()}N${String(nextNumber()).padStart(4, '0')}`;
  own.add(code);
  return code;
}

/** A usage subject of this run. */
export function uniqueSubject(): string {
  const { plan, nextNumber } = currentSession();
  return `contract:${plan.runId}:${nextNumber()}`;
}

/** Marks an object as the suite's. */
export function runMark(): { readonly contract_run: string } {
  return { contract_run: currentSession().plan.runId };
}

/** Form of an id that names nothing, by prefix; without one a UUID that names nothing. */
export function unknownId(prefix = ''): string {
  const { own } = currentSession();
  const id = prefix === '' ? uuid() : `${prefix}_contractunknown${currentSession().nextNumber()}`;
  own.add(id);
  return id;
}

/** The target's clock, as far as its Date header tells, moved by some milliseconds. */
export function now(offsetMs = 0): string {
  const { plan } = currentSession();
  return new Date(Date.now() + plan.target.clockSkewMs + offsetMs).toISOString();
}

/** The UTC day of the target's clock, moved by some days. */
export function today(offsetDays = 0): string {
  return now(offsetDays * 86_400_000).slice(0, 10);
}

/** A number from 0 up to but not including `below`, the same in every run with the same id. */
export function pseudoRandom(below: number): number {
  return Number.parseInt(uuid().slice(0, 8), 16) % below;
}

/** A UUID that follows from the run and a number, so that a run repeats with the same ids. */
function uuidOf(runId: string, number: number): string {
  const hex = createHash('sha256').update(`${runId}/${number}`).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
