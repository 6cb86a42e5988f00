import { createEmulator } from 'billing-emulator/internals';

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
