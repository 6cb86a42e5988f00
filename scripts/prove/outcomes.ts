import type { BlowReport } from '../../src/testing/durability/blows.ts';
import type { History } from '../../src/testing/durability/histories.ts';

/** Prints what blows under load have done. What is wrong sets the exit code. */
export function printBlows({ acknowledged, claims, events, wrong }: BlowReport): void {
  process.stdout.write(
    `${acknowledged} batches acknowledged, ${claims} claims wrote, ${events} webhook events\n` +
      `${wrong.length} wrong${wrong
        .slice(0, 10)
        .map((line) => `\n  ${line}`)
        .join('')}\n`,
  );
  if (wrong.length > 0) process.exitCode = 1;
}

/** Plays histories, and prints those that end otherwise; these set the exit code. */
export async function compareHistories(
  histories: readonly History[],
  between: string,
  isSame: (history: History, place: number) => Promise<boolean>,
): Promise<void> {
  let different = 0;
  for (const [place, history] of histories.entries()) {
    if (await isSame(history, place)) continue;
    different += 1;
    process.stdout.write(`History ${place} differs: ${JSON.stringify(history)}\n`);
  }
  process.stdout.write(`${histories.length} histories, ${different} differ ${between}\n`);
  if (different > 0) process.exitCode = 1;
}
