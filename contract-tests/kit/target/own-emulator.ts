import { createEmulator } from 'billing-emulator/internals';

export type StartedEmulator = Awaited<ReturnType<typeof startTarget>>;

/** Starts a new emulator with an empty world on a free port. Checks send requests over its socket, as to any target. */
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
