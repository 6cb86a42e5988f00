import { createHash } from 'node:crypto';

/** A UUID that follows from the run and a number, so that a run repeats with the same ids. */
export function uuidOf(runId: string, number: number): string {
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
