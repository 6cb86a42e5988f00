import { createEmulator } from '../src/emulator.ts';
import { startMutant } from '../src/mutants/emulator.ts';
import { MUTANTS } from '../src/mutants/index.ts';

/** The emulator as a target: a server on a free port, to be spoken to over its socket like any other. */
export interface StartedEmulator {
  readonly baseUrl: string;
  readonly key: string;
  readonly serviceName: string;
  close(): Promise<void>;
}

/** Starts a fresh emulator with an empty world. */
export async function startTarget(): Promise<StartedEmulator> {
  const emulator = createEmulator({
    settings: { port: 0, fixture: '', log_level: process.env['CONTRACT_EMULATOR_LOG'] ?? 'silent' },
  });
  const baseUrl = await emulator.listen();
  return {
    baseUrl,
    key: 'key_test_contract',
    serviceName: emulator.settings.service_name,
    close: () => emulator.close(),
  };
}

/** Emulators with one thing wrong each, which the suite has to notice. */
export const mutants = MUTANTS.map((mutant) => ({
  id: mutant.id,
  about: mutant.about,
  noticedBy: mutant.noticedBy,
  start: () => startMutant(mutant),
}));

/** Which of the workers side by side this is. */
export function workerNumber(): string {
  return process.env['VITEST_POOL_ID'] ?? '1';
}
