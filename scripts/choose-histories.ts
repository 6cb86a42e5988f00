import { HISTORIES, type HistoryCheck } from '../contract-tests/cases/shared/histories.ts';
import { layers } from '../contract-tests/kit/layers.ts';
import { metBy } from '../contract-tests/model/arbitrary/chosen-histories.ts';
import { historyOf } from '../contract-tests/model/arbitrary/themes.ts';
import { createEmulator } from '../src/main.ts';
import { playAsModelled } from '../src/testing/random-history.ts';

const [MIN_STEPS, MAX_STEPS, SEEDS] = [2, 24, 12];

/** The maximum number of requests of a check to the interface. */
const MAX_REQUESTS = 60;

/** A history that a check could play, and the states that its steps meet. */
interface Candidate {
  readonly steps: number;
  readonly seed: number;
  readonly met: ReadonlySet<string>;
}

/**
 * `npm run choose-histories`: prints steps and seeds for the checks of random histories, chosen one after the other: always
 * the history whose states, among those that none before meets, are the rarest, of those that a check has requests for.
 * Looking at a history takes only its model. To be run after changes of the histories or of what is compared.
 */
const candidates = new Map<HistoryCheck['theme'], readonly Candidate[]>();
for (const theme of new Set(HISTORIES.map((check) => check.theme))) {
  candidates.set(theme, candidatesOf(theme));
  process.stderr.write(`${theme.about}\n`);
}
const rarity = new Map<string, number>();
for (const { met } of [...candidates.values()].flat())
  for (const each of met) rarity.set(each, (rarity.get(each) ?? 0) + 1);
for (const check of HISTORIES) {
  const { steps, seed, met, requests } = await chosenFor(check);
  // What it meets counts no more.
  for (const each of met) rarity.delete(each);
  process.stdout.write(`${check.id} ${steps}, ${seed}: ${requests} requests\n`);
}

function candidatesOf(theme: HistoryCheck['theme']): Candidate[] {
  const all: Candidate[] = [];
  for (let steps = MIN_STEPS; steps <= MAX_STEPS; steps += 1)
    for (let seed = 1; seed <= SEEDS; seed += 1)
      all.push({ steps, seed, met: new Set(metBy(historyOf(theme, steps, seed))) });
  return all;
}

async function chosenFor({ theme, players }: HistoryCheck) {
  const gainOf = ({ met }: Candidate): number =>
    [...met].reduce((gain, each) => gain + 1 / (rarity.get(each) ?? Number.POSITIVE_INFINITY), 0);
  const best = (candidates.get(theme) ?? [])
    .map((candidate) => ({ ...candidate, gain: gainOf(candidate) }))
    .sort((one, other) => other.gain - one.gain);
  let tooLong = Number.POSITIVE_INFINITY;
  for (const candidate of best) {
    const { steps } = candidate;
    if (steps >= tooLong) continue;
    const requests = await requestsOf(candidate, theme, players);
    if (requests <= MAX_REQUESTS) return { ...candidate, requests };
    // Longer ones need more; those of about this length may not.
    const isFarTooLong = requests > MAX_REQUESTS + 6;
    if (isFarTooLong) tooLong = Math.max(steps, MIN_STEPS + 1);
  }
  throw new Error(`no history of ${theme.about} has at most ${MAX_REQUESTS} requests`);
}

async function requestsOf(
  { steps, seed }: Candidate,
  theme: HistoryCheck['theme'],
  players: HistoryCheck['players'],
): Promise<number> {
  const emulator = createEmulator({ settings: { fixture: '', log_level: 'silent' } });
  let count = 0;
  await playAsModelled(emulator, historyOf(theme, steps, seed), (call) => {
    const counted: typeof call = (...request) => {
      // What steers the emulator is not of the interface.
      if (layers().assumed.operations.has(request[0])) count += 1;
      return call(...request);
    };
    const called = Promise.resolve(players.callIn(counted, seed));
    return async (...request) => (await called)(...request);
  });
  await emulator.close();
  return count;
}
