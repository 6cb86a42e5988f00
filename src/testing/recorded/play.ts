import { createClient } from '../../client/index.ts';
import { parseFixture } from '../../fixtures/read.ts';
import { describeOutcome, runFixture } from '../../fixtures/run-fixture.ts';
import type { Scenario } from '../../fixtures/scenario.ts';
import { fixtureText } from '../../fixtures/write.ts';
import { createEmulator } from '../../main.ts';
import type { World } from '../../store/world.ts';
import { parseExact } from '../../text/exact-json.ts';
import type { TestClient } from '../client.ts';
import { startServer } from '../server.ts';
import type { Ask } from './ask.ts';

interface ExportedSession {
  readonly fixture: Scenario;
  readonly remarks: readonly string[];
  readonly steps: number;
}

/**
 * Records the HTTP requests to the default world of an emulator. Returns the export, the operations `asked`, and the
 * fixture as the text of a file.
 */
export async function recordSession(
  { emulator }: TestClient,
  session: (ask: Ask) => Promise<unknown>,
  options: { readonly expect?: boolean; readonly redact_customers?: boolean } = { expect: true },
) {
  const { url } = await startServer(emulator.handle);
  const client = createClient({ url, key: 'key_test_emulator' });
  const asked: string[] = [];
  const { requests: after } = emulator.worlds.find('key_test_emulator') as World;
  await session(async (operation, parts) => {
    asked.push(operation);
    const { text } = await client.send(operation, parts as never);
    await emulator.dispatcher.idle(emulator.worlds.find('key_test_emulator') as World);
    return text === '' ? undefined : JSON.parse(text);
  });
  const answer = await client.read('exportRequests', { query: { after, ...options } });
  const exported = parseExact(answer) as ExportedSession;
  return { ...exported, asked, text: fixtureText(exported.fixture, 'session.yaml') };
}

/** Runs the text of a fixture on a new world. Returns the unmet expectations. */
export async function playAnew(text: string): Promise<readonly string[]> {
  const emulator = createEmulator({
    settings: { clock: 'frozen', fixture: '', log_level: 'silent' },
  });
  const world = emulator.worlds.find('key_test_emulator') as World;
  try {
    const fixture = parseFixture(text, 'session.yaml');
    const outcomes = await runFixture(fixture, emulator.targetOf(world));
    return outcomes.flatMap((outcome) => describeOutcome(fixture, outcome));
  } finally {
    await emulator.close();
  }
}
