import { createHash } from 'node:crypto';
import type { Instant } from '../../../src/domain/instant.ts';
import { createEmulator } from '../../../src/emulator.ts';
import type { ScenarioRequest, ScenarioTarget } from '../../../src/fixtures/scenario-target.ts';
import { loadDocument } from '../../../src/spec/document.ts';
import { watched } from '../../../src/testing/watched.ts';
import { lookAround, type Story, stories } from './stories.ts';
import { begin, reachedNow } from './switchboard.ts';

/** A step of a story, with a digest of the response of the emulator without mutants. */
type Step =
  | { readonly set: Instant }
  | { readonly advance: Instant }
  | { readonly delivered: true }
  | { readonly send: ScenarioRequest; answer: string | undefined };

export interface RecordedStory {
  readonly name: string;
  readonly steps: readonly Step[];
  /** The mutants whose code it reaches. */
  readonly reached: readonly number[];
}

const START = Date.UTC(2026, 0, 15, 12);
const settings = {
  fixture: '',
  clock: 'frozen',
  clock_now: new Date(START).toISOString(),
  check_responses: false,
  log_level: 'silent',
};

/** Runs a function on a world that is the same each time. */
async function onWorld<T>(work: (target: ScenarioTarget) => Promise<T>): Promise<T> {
  const emulator = createEmulator({ settings, machine: () => START });
  try {
    const world = emulator.worlds.find('key_test_corpus');
    if (!world) throw new Error('The key opens no world.');
    return await work(emulator.targetOf(world));
  } finally {
    await emulator.close();
  }
}

/** Records the corpus without mutants. Responses that differ between two runs are not compared. */
export async function recordCorpus(histories: number): Promise<readonly RecordedStory[]> {
  const recorded: RecordedStory[] = [];
  for (const story of stories(histories)) {
    begin(undefined);
    const steps = await onWorld((target) => record(story, target));
    recorded.push({ name: story.name, steps, reached: reachedNow() });
    await replay(steps, (step) => {
      step.answer = undefined;
      return true;
    });
  }
  return recorded;
}

const operations = loadDocument('openapi').operations;

async function record(story: Story, target: ScenarioTarget): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const told = watched(target, (request, reply) => {
    const answer = operations.has(request.call) ? digest(reply) : undefined;
    steps.push({ send: structuredClone(request), answer });
  });
  const recording: ScenarioTarget = Object.create(told, {
    set: {
      value(moment: Instant) {
        steps.push({ set: moment });
        return target.set(moment);
      },
    },
    advance: {
      value(moment: Instant) {
        steps.push({ advance: moment });
        return target.advance(moment);
      },
    },
    delivered: {
      value() {
        steps.push({ delivered: true });
        return target.delivered?.();
      },
    },
  });
  // A history ends where emulator and model differ; the steps before count.
  await story.play(recording).catch(() => {});
  await lookAround(recording);
  return steps;
}

const digest = (reply: unknown): string =>
  createHash('sha1').update(JSON.stringify(reply)).digest('base64').slice(0, 12);

/**
 * Replays a story, and reports each response that differs.
 *
 * @param tell receives each difference; returns whether to continue
 */
async function replay(
  steps: readonly Step[],
  tell: (step: { answer: string | undefined }, reply: unknown) => boolean,
): Promise<void> {
  await onWorld(async (target) => {
    for (const step of steps) {
      if ('set' in step) await target.set(step.set);
      else if ('advance' in step) await target.advance(step.advance);
      else if ('delivered' in step) await target.delivered?.();
      else {
        const reply = await target.send(step.send);
        if (step.answer !== undefined && digest(reply) !== step.answer && !tell(step, reply))
          return;
      }
    }
  });
}

/** Returns the first story in which a mutant changes a response or causes an error. */
export async function differenceOf(
  mutant: number,
  corpus: readonly RecordedStory[],
): Promise<string | undefined> {
  for (const { name, steps } of corpus.filter(({ reached }) => reached.includes(mutant))) {
    begin(mutant);
    let differs = false;
    try {
      await replay(steps, () => {
        differs = true;
        return false;
      });
    } catch {
      differs = true;
    }
    if (differs) return name;
  }
  return undefined;
}
