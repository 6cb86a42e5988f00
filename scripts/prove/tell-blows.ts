import type { BlowReport } from '../../src/testing/durability/postgres.ts';

/** Prints what blows under load have done. What is wrong sets the exit code. */
export function tellBlows({ acknowledged, claims, events, ...wrong }: BlowReport): void {
  process.stdout.write(
    `${acknowledged} batches acknowledged, ${claims} claims wrote, ${events} webhook events\n`,
  );
  for (const [name, found] of Object.entries(wrong)) {
    process.stdout.write(
      `${name}: ${found.length === 0 ? 'none' : JSON.stringify(found.slice(0, 10))}\n`,
    );
    if (found.length > 0) process.exitCode = 1;
  }
}
