import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { type Client, createClient } from '../../client/index.ts';
import { writeScenario } from '../../fixtures/fixture-file.ts';
import { drawPopulation, type PopulationOptions } from '../../fixtures/population/population.ts';
import { openRemoteTarget } from '../../fixtures/remote-target.ts';
import { runScenario, type StepOutcome } from '../../fixtures/run-scenario.ts';
import { runToCompletionAwaiting, type StreamedScenario } from '../../fixtures/scenario.ts';
import { plural } from '../../text/wording.ts';
import { WORLD_FLAGS } from '../command.ts';
import { CommandError, EXIT } from '../failure.ts';
import { dateTime, flag, httpUrl, wholeNumber } from '../flags.ts';
import { print } from '../print.ts';

interface PopulateFlags extends PopulationOptions {
  readonly out?: string;
  readonly url?: string;
  readonly key: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** `billing-emulator populate`: generates customers and their usage, as a fixture or into a world. */
export function addPopulate(program: Command): void {
  const command = program
    .command('populate')
    .description(
      'Generate customers with products, usage, costs and payments, as a fixture or into a world',
    )
    .option('--customers <count>', 'Number of customers', wholeNumber(1, 100_000), 200)
    .option('--days <count>', 'Number of days', wholeNumber(1, 3_650), 90)
    .option('--seed <number>', 'Random seed', wholeNumber(0, 2 ** 31), 1)
    .option('--until <instant>', 'Last day (default: today)', dateTime)
    .option('--out <file>', 'File to write (default: standard output)')
    .option('--json', 'Print a summary as JSON, unless the fixture goes to standard output')
    .addOption(
      flag('--url <url>', 'Fill this running emulator instead', { read: httpUrl }).conflicts('out'),
    )
    .action(populate);
  for (const option of WORLD_FLAGS.slice(1)) command.addOption(option);
}

async function populate(flags: PopulateFlags): Promise<void> {
  const { customers, days, url } = flags;
  const population = await drawPopulation(flags, (day) => showProgress(day, days));
  if (url === undefined) await write(population, flags.out);
  else await fill({ ...flags, url }, population);
  const { seed, out, json } = flags;
  const to = out ?? url;
  if (to === undefined) return;
  if (json) print(JSON.stringify({ customers, days, seed, to }));
  else print(await summaryOf(flags, to));
}

/** What was generated, and how to go on with it. */
async function summaryOf({ customers, days, url, key, token }: PopulateFlags, to: string) {
  const what = `${plural(customers, 'customer')} over ${plural(days, 'day')}`;
  if (url === undefined)
    return `${to}: ${what}. Start with it: billing-emulator start --fixture ${to}`;
  const { call } = createClient({ url, key, token });
  const events = await totalOf(call('listEvents', { query: { limit: 1 } }));
  return `${what} with ${plural(events, 'usage event')} in the world of ${key}. Look at them: ${url.replace(/\/$/, '')}/_emulator/ui?key=${key}`;
}

/** Shows the day that is being drawn, in one line of a terminal. */
function showProgress(day: number, days: number): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\rday ${day} of ${days}${day === days ? '\n' : ''}`);
}

async function write(population: StreamedScenario, file: string | undefined): Promise<void> {
  const text = Readable.from(writeScenario(population));
  if (file === undefined) await pipeline(text, process.stdout, { end: false });
  else await pipeline(text, createWriteStream(file));
}

async function fill(
  world: PopulateFlags & { readonly url: string },
  population: StreamedScenario,
): Promise<void> {
  const client = createClient(world);
  await requireEmptyWorld(client, world.key);
  const target = await openRemoteTarget(client, world.url);
  try {
    await runToCompletionAwaiting(runScenario(population, target, requireSuccess));
  } finally {
    await target.leave();
  }
}

/** @throws CommandError that says what to do if the world has customers or products */
async function requireEmptyWorld({ call }: Client, key: string): Promise<void> {
  const counts = {
    customer: await totalOf(call('listCustomers', { query: { limit: 1 } })),
    product: await totalOf(call('listProducts', { query: { limit: 1 } })),
  };
  for (const [what, count] of Object.entries(counts))
    if (count > 0)
      throw new CommandError(
        `The world of ${key} is not empty: it has ${plural(count, what)}. ` +
          `Fill that of another key, or empty it: billing-emulator reset --to empty --key ${key}`,
        EXIT.failure,
      );
}

/** How many records a list has. A redirect to a single one has no count. */
async function totalOf(page: Promise<object>): Promise<number> {
  const { total_count = 0 } = (await page) as { readonly total_count?: number };
  return total_count;
}

function requireSuccess({ index, problems: [problem] }: StepOutcome): void {
  if (problem) throw new CommandError(`Step ${index + 1}: ${problem.message}`, EXIT.failure);
}
