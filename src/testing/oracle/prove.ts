import fc from 'fast-check';
import { createClient } from '../../client/index.ts';
import { createEmulator } from '../../emulator.ts';
import { startServer } from '../server.ts';
import { historyArbitrary } from './arbitrary-history.ts';
import type { Call } from './calls.ts';
import { playHistory } from './play.ts';

/** How many histories one emulator plays, each in a world of its own, before another takes its place. */
const PER_EMULATOR = 25;

/**
 * Plays random histories against emulators and the model, step by step.
 *
 * @throws Error with the smallest history found whose answers differ; its cause says both answers
 */
export async function proveByOracle(seed: number, runs: number): Promise<void> {
  let count = 0;
  let open = await openEmulator();
  const agrees = fc.asyncProperty(historyArbitrary, async (history) => {
    count += 1;
    if (count % PER_EMULATOR === 0) {
      await open.close();
      open = await openEmulator();
    }
    await playHistory(open.callIn(`key_test_oracle-${count}`), history);
  });
  await fc.assert(agrees, { seed, numRuns: runs });
  await open.close();
}

async function openEmulator() {
  const emulator = createEmulator({ settings: { fixture: '', log_level: 'silent' } });
  const { url, close } = await startServer(emulator.handle);
  const callIn = (key: string): Call => {
    const { send } = createClient({ url, key });
    return async (operation, parts) => {
      const { status, text } = await send(operation, parts as object);
      if (status >= 300)
        throw new Error(`${operation} ${JSON.stringify(parts)}: ${status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    };
  };
  return { callIn, close };
}
