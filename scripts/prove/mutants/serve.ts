import './switchboard.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createEmulator, type Emulator } from '../../../src/emulator.ts';
import { startServer, type TestServer } from '../../../src/testing/server.ts';
import { differenceOf, type RecordedStory, recordCorpus } from './corpus.ts';
import { begin, reachedNow, switchboard } from './switchboard.ts';

/**
 * The orders of the judging process to the process of the mutated emulator. The latter can be killed at any time,
 * because an endless mutant cannot be stopped otherwise.
 */
export interface Orders {
  /** Starts a new emulator with one mutant active, or none. Returns its address. */
  serve: (mutant?: number) => Promise<string>;
  /** Returns the mutants reached since the last call. */
  reached: () => Promise<readonly number[]>;
  /** Returns the first story of the corpus whose responses differ. */
  difference: (mutant: number) => Promise<string | undefined>;
}

const [, , corpusFile = '', histories = ''] = process.argv;
let corpus: readonly RecordedStory[] | undefined;
let running: { emulator: Emulator; server: TestServer } | undefined;

// A mutant may fail in a promise or timer that nothing awaits.
process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});

async function serve(mutant?: number): Promise<string> {
  await end();
  const emulator = createEmulator({
    settings: { fixture: '', check_responses: false, log_level: 'silent' },
  });
  const server = await startServer(emulator.handle);
  running = { emulator, server };
  begin(mutant);
  return server.url;
}

async function end(): Promise<void> {
  begin(undefined);
  await running?.server.close();
  await running?.emulator.close();
  running = undefined;
}

const orders: Orders = {
  serve,
  async reached() {
    const ids = reachedNow();
    switchboard.reached.fill(0);
    return ids;
  },
  async difference(mutant) {
    await end();
    corpus ??= await corpusOf();
    const found = await differenceOf(mutant, corpus);
    begin(undefined);
    return found;
  },
};

async function corpusOf(): Promise<readonly RecordedStory[]> {
  if (existsSync(corpusFile)) return JSON.parse(readFileSync(corpusFile, 'utf8'));
  const recorded = await recordCorpus(Number(histories));
  writeFileSync(corpusFile, JSON.stringify(recorded));
  return recorded;
}

type Order = {
  readonly [Name in keyof Orders]: { name: Name; given: Parameters<Orders[Name]> };
}[keyof Orders];

process.on('message', async ({ name, given }: Order) => {
  try {
    const work = orders[name] as (...given: unknown[]) => Promise<unknown>;
    process.send?.({ answer: await work(...given) });
  } catch (error) {
    process.send?.({ error: (error as Error).stack });
  }
});
process.on('disconnect', () => process.exit(0));
