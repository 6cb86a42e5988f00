import { startEmulator } from 'billing-emulator';

export type StartedEmulator = Awaited<ReturnType<typeof startTarget>>;

/** A database that keeps the worlds, for proofs; in memory without one. */
const { TEST_DATABASE } = process.env;
let started = 0;

/** Starts a new emulator with an empty world on a free port. Checks send requests over its socket, as to any target. */
export async function startTarget() {
  started += 1;
  const kept = TEST_DATABASE !== undefined && {
    data: `${TEST_DATABASE}?schema=contract_${process.pid}_${started}`,
  };
  const settings = { fixture: '', log_level: 'silent', ...kept } as const;
  const { url, close } = await startEmulator({ settings });
  return { baseUrl: url, key: 'key_test_contract', close };
}
