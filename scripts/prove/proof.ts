import { parseArgs } from 'node:util';
import type { BlowReport } from '../../src/testing/durability/blows.ts';
import type { History } from '../../src/testing/durability/histories.ts';

type Preset = string | number | boolean;
/** The flags as read: each by its name, with a value of the type of its default. */
type Given<F> = {
  readonly [N in keyof F]: F[N] extends number ? number : F[N] extends boolean ? boolean : string;
};

/** Flags whose number may be 0. */
const FROM_NOTHING = new Set(['seed', 'histories']);

/** Reads the flags of a proof, with their defaults. Ends the process if a number is not a whole number. */
export function readFlags<F extends Readonly<Record<string, Preset>>>(presets: F): Given<F> {
  const options = Object.entries(presets).map(([name, preset]) => {
    const isSwitch = typeof preset === 'boolean';
    return [name, { type: isSwitch ? 'boolean' : 'string' } as const] as const;
  });
  const { values } = parseArgs({ options: Object.fromEntries(options) });
  const flags = Object.entries(presets).map(([name, preset]) => {
    const given = values[name] ?? preset;
    return [name, typeof preset === 'number' ? numberOf(name, String(given)) : given];
  });
  return Object.fromEntries(flags);
}

function numberOf(name: string, text: string): number {
  const [value, least] = [Number(text), FROM_NOTHING.has(name) ? 0 : 1];
  if (Number.isSafeInteger(value) && value >= least) return value;
  process.stderr.write(`Expected a whole number from ${least} for --${name}; got ${text}.\n`);
  process.exit(2);
}

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
