import { createMutant } from '../../contract-tests/mutants/emulator.ts';
import { MUTANTS } from '../../contract-tests/mutants/index.ts';
import { declared, type Mutant } from '../../contract-tests/mutants/mutant.ts';
import { type Fixture, parseFixture } from '../../src/fixtures/read.ts';
import { describeOutcome, runFixture } from '../../src/fixtures/run-fixture.ts';
import { loadDocument, type OperationSpec } from '../../src/spec/document.ts';
import type { World } from '../../src/store/world.ts';
import { createTestClient, TEST_NOW } from '../../src/testing/client.ts';
import { recordSession } from '../../src/testing/recorded/play.ts';
import { askEverything } from '../../src/testing/recorded/session.ts';
import { watched } from '../../src/testing/watched.ts';
import { serialise } from '../../src/text/exact-json.ts';

/** A declared mutant that changes handlers of a resource of the document. */
export interface ResourceMutant {
  readonly mutant: Mutant;
  readonly resource: string;
}

/** The outcome of a recorded session on a mutant. */
export interface MutantPlay extends ResourceMutant {
  /** Whether any response differs from that of the unchanged emulator. */
  readonly isReached: boolean;
  /** The first failed expectation; undefined if all hold. */
  readonly problem: string | undefined;
}

/** Mutants that no recording can notice, and why. */
export const UNNOTICED: Readonly<Record<string, string>> = {
  'A portal link is relative':
    'what the service draws is expected to be there, whatever it looks like',
};

const SOUND = declared('Nothing is wrong', []);

export const RESOURCE_MUTANTS: readonly ResourceMutant[] = MUTANTS.flatMap((mutant) => {
  const [operation] = Object.keys(mutant.around ?? {});
  return operation === undefined ? [] : [{ mutant, resource: resourceOf(operation) }];
});

/** The resources of the document, which are its tags. */
export const RESOURCES: readonly string[] = [
  ...new Set([...loadDocument('openapi').operations.keys()].map(resourceOf)),
];

function resourceOf(id: string): string {
  const { json } = loadDocument('openapi').operations.get(id) as OperationSpec;
  return (json['tags'] as [string])[0];
}

/**
 * Records a session over every operation, and runs it on mutants.
 *
 * @throws Error if it fails on the unchanged emulator
 */
export async function playOnMutants(
  mutants: readonly ResourceMutant[],
): Promise<readonly MutantPlay[]> {
  const { text } = await recordSession(createTestClient(), (ask) => askEverything(ask, TEST_NOW));
  const fixture = parseFixture(text, 'session.yaml');
  const sound = await play(fixture, SOUND);
  if (sound.problem !== undefined) throw new Error(`It is red where all is well: ${sound.problem}`);
  const plays: MutantPlay[] = [];
  for (const each of mutants) {
    const { answers, problem } = await play(fixture, each.mutant);
    const isReached = answers.some((answer, place) => answer !== sound.answers[place]);
    plays.push({ ...each, isReached, problem });
  }
  return plays;
}

async function play(fixture: Fixture, mutant: Mutant) {
  const emulator = createMutant(mutant);
  const answers: string[] = [];
  const target = emulator.targetOf(emulator.worlds.find('key_test_emulator') as World);
  const listening = watched(target, (_, reply) => answers.push(serialise(reply).text));
  const outcomes = await runFixture(fixture, listening);
  await emulator.close();
  const [problem] = outcomes.flatMap((outcome) => describeOutcome(fixture, outcome));
  return { answers, problem };
}
