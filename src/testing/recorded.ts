import { createClient } from '../client/index.ts';
import { fixtureText, parseFixture } from '../fixtures/fixture-file.ts';
import { openRemoteTarget } from '../fixtures/remote-target.ts';
import { describeOutcome, runFixture } from '../fixtures/run-fixture.ts';
import type { Scenario, ScenarioTarget } from '../fixtures/scenario.ts';
import { createEmulator } from '../main.ts';
import type { AnyOperationId } from '../spec/operations.ts';
import { parseExact } from '../text/exact-json.ts';
import type { TestCallParts, TestClient } from './client.ts';
import { worldOf } from './client.ts';
import { startServer } from './server.ts';

interface ExportedSession {
  readonly fixture: Scenario;
  readonly remarks: readonly string[];
  readonly steps: number;
}

/** Sends a request of either interface and returns the response body, whatever its status. */
// biome-ignore lint/suspicious/noExplicitAny: A session reads the fields it expects; its recording checks the responses.
type Ask = (operation: AnyOperationId, parts?: Omit<TestCallParts, 'key'>) => Promise<any>;

/**
 * Records the HTTP requests to the default world of an emulator. Returns the export, and the fixture as the text of a
 * file.
 */
export async function recordSession(
  { emulator }: TestClient,
  session: (ask: Ask, target: ScenarioTarget) => Promise<unknown>,
  options: { readonly expect?: boolean; readonly redact_customers?: boolean } = { expect: true },
) {
  const { url } = await startServer(emulator.handle);
  const client = createClient({ url, key: 'key_test_emulator' });
  const target = await openRemoteTarget(client, url);
  const world = worldOf(emulator);
  const after = world.requests;
  const ask: Ask = async (operation, parts) => {
    const { text } = await client.send(operation, parts as never);
    await emulator.dispatcher.idle(world);
    return text === '' ? undefined : JSON.parse(text);
  };
  await session(ask, target);
  const answer = await client.read('exportRequests', { query: { after, ...options } });
  const exported = parseExact(answer) as ExportedSession;
  return { ...exported, text: fixtureText(exported.fixture, 'session.yaml') };
}

/** Runs the text of a fixture. Returns the unmet expectations. */
export async function playOn(
  target: ScenarioTarget,
  text: string,
  file = 'session.yaml',
): Promise<readonly string[]> {
  const fixture = parseFixture(text, file);
  const outcomes = await runFixture(fixture, target);
  return outcomes.flatMap((outcome) => describeOutcome(fixture, outcome));
}

/** Runs the text of a fixture on a new world. Returns the unmet expectations. */
export async function playAnew(text: string): Promise<readonly string[]> {
  const emulator = createEmulator({
    settings: { clock: 'frozen', fixture: '', log_level: 'silent' },
  });
  try {
    return await playOn(emulator.targetOf(worldOf(emulator)), text);
  } finally {
    await emulator.close();
  }
}
