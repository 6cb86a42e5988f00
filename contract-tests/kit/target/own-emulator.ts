import { startEmulator } from 'billing-emulator';

export type StartedEmulator = Awaited<ReturnType<typeof startTarget>>;

/** Starts a new emulator with an empty world on a free port. Checks send requests over its socket, as to any target. */
export async function startTarget() {
  const { url, close } = await startEmulator({ settings: { fixture: '', log_level: 'silent' } });
  return { baseUrl: url, key: 'key_test_contract', close };
}
