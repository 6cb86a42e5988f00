export const MINUTE_MS = 60_000;

export const HOUR_MS = 3_600_000;

export const DAY_MS = 86_400_000;

/** An instant moved by some milliseconds, also negative. */
export const moved = (instant: string, milliseconds: number): string =>
  new Date(Date.parse(instant) + milliseconds).toISOString();

/** The same time a year later; on 28 February after a 29 February. */
export function yearAfter(instant: string): string {
  const year = Number(instant.slice(0, 4)) + 1;
  const date = instant.slice(4).replace('-02-29', '-02-28');
  return new Date(`${year}${date}`).toISOString();
}
