import type { CheckRun } from '../check-run.ts';
import type { ShapeFinding } from '../shape.ts';
import type { ReceivedAnswer } from './exchange.ts';

/** Notes when the running check reads a field that only an assumption states and that the response lacks. */
export function noteUnshownReads(
  { operation, status, body }: ReceivedAnswer,
  shapes: readonly ShapeFinding[],
  { unshown }: CheckRun,
): void {
  for (const { kind, finding, assumptions, lacks } of shapes) {
    const name = lacks?.at(-1);
    if (kind !== 'refuted' || name === undefined) continue;
    const holder = (lacks as readonly string[])
      .slice(0, -1)
      .reduce((part: Record<string, never> | undefined, step) => part?.[step], body);
    if (typeof holder !== 'object' || holder === null || name in holder) continue;
    const text = `${operation} ${status}: ${finding} (${assumptions.join(', ')})`;
    // In the prototype, so that comparisons of whole bodies and the messages of those that failed do not read it.
    const get = (): void => void unshown.add(text);
    Object.setPrototypeOf(
      holder,
      Object.create(Object.getPrototypeOf(holder), { [name]: { get } }),
    );
  }
}
