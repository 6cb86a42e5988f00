import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { printable } from 'billing-emulator/spec';
import { createdFileIn, createdObjectsTarget, openCreatedObjects } from '../kit/created-objects.ts';
import { cleanUp, effectsOf } from '../kit/run/clean.ts';
import { openTarget } from '../kit/run/plan-run.ts';
import { isBeyondReach, preflight, sentenceOf } from '../kit/run/preflight.ts';
import { ConfigurationError, type Flags, readRunOptions } from '../kit/run/read-options.ts';
import { EXIT_CODES } from '../kit/run/verdict.ts';

/**
 * Deletes objects that runs left on a target, from their lists of created objects, and prints those that remain.
 * Returns the exit code.
 *
 * @throws ConfigurationError without a base URL
 */
export async function clean(flags: Flags): Promise<number> {
  const options = readRunOptions(flags);
  if (options.baseUrl === undefined) throw new ConfigurationError('clean needs --base-url');
  const { target } = await openTarget(options);
  const found = await preflight({ target, timeoutMs: options.timeoutMs });
  const { environment, accountId } = found;
  const plan = { target: { ...target, environment, accountId }, timeoutMs: options.timeoutMs };
  if (isBeyondReach(found)) {
    process.stderr.write(`${sentenceOf(found.verdict)}\n`);
    return EXIT_CODES.unreachable;
  }
  const leftovers: string[] = [];
  for (const run of runsIn(options.stateFolder, flags['run'] as string | undefined))
    leftovers.push(...(await cleanRun(plan, join(options.stateFolder, run), run)));
  for (const leftover of leftovers) process.stdout.write(printable(`not removed: ${leftover}\n`));
  return leftovers.length === 0 ? EXIT_CODES.met : EXIT_CODES.leftovers;
}

function runsIn(folder: string, run: string | undefined): readonly string[] {
  if (run !== undefined) return [run];
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function cleanRun(
  plan: Parameters<typeof cleanUp>[0],
  folder: string,
  run: string,
): Promise<readonly string[]> {
  const created = openCreatedObjects(createdFileIn(folder));
  if (created.target !== createdObjectsTarget(plan.target)) return [];
  const leftovers = await cleanUp(plan, created);
  const { removed, permanent } = effectsOf(created.entries());
  const kept = Object.entries(permanent).map(([operation, count]) => `${count} of ${operation}`);
  process.stdout.write(
    `run ${run}: ${removed} removed, permanent: ${kept.join(', ') || 'nothing'}\n`,
  );
  return leftovers;
}
