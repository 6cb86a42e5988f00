import { createEmulator } from 'billing-emulator/internals';

export type StartedEmulator = Awaited<ReturnType<typeof startTarget>>;

/** Starts a fresh emulator with an empty world on a free port, to be spoken to over its socket like any other target. */
export async function startTarget() {
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
