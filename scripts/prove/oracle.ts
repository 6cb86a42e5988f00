import fc from 'fast-check';
import type { WorldCall } from '../../contract-tests/kit/target/own-world.ts';
import { historyArbitrary } from '../../contract-tests/model/arbitrary-history.ts';
import { playHistory } from '../../contract-tests/model/play.ts';
import { createClient } from '../../src/client/index.ts';
import { createEmulator } from '../../src/main.ts';
import { startServer } from '../../src/testing/server.ts';
import { proveOverHistories } from './random-histories.ts';

/** Number of histories per emulator, each in a new world. */
const PER_EMULATOR = 25;

/** Number of steps between comparisons of the whole state. */
const EVERY = 15;

/**
 * `npm run prove -- oracle [--seed N] [--runs N]`: runs random histories on the emulator and on a model written from
 * the documents alone. Reports the first difference with the smallest history.
 */
await proveOverHistories(2_000, proveByOracle);

/**
 * Runs random histories on emulators and the model, step by step.
 *
 * @throws Error with the smallest history found whose responses differ; its cause has both responses
 */
async function proveByOracle(seed: number, runs: number): Promise<void> {
  let count = 0;
  let open = await openEmulator();
  const agrees = fc.asyncProperty(historyArbitrary(), async (history) => {
    count += 1;
    if (count % PER_EMULATOR === 0) {
      await open.close();
      open = await openEmulator();
    }
    await playHistory(open.callIn(`key_test_oracle-${count}`), history, EVERY);
  });
  await fc.assert(agrees, { seed, numRuns: runs });
  await open.close();
}

async function openEmulator() {
  const emulator = createEmulator({ settings: { fixture: '', log_level: 'silent' } });
  const { url, close } = await startServer(emulator.handle);
  const callIn = (key: string): WorldCall => {
    const { send } = createClient({ url, key });
    return async (operation, parts, statuses) => {
      const { actingFor: account, ...rest } = parts;
      const { status, text } = await send(operation, { ...(rest as object), account });
      if (statuses ? !statuses.includes(status) : status >= 300)
        throw new Error(`${operation} ${JSON.stringify(parts)}: ${status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    };
  };
  return { callIn, close };
}
