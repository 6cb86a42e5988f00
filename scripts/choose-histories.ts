import { HISTORIES, type HistoryCheck } from '../contract-tests/cases/shared/histories.ts';
import { layers } from '../contract-tests/kit/layers.ts';
import { metBy, Rarity } from '../contract-tests/model/arbitrary/chosen-histories.ts';
import { historyOf } from '../contract-tests/model/arbitrary/themes.ts';
import { createEmulator } from '../src/main.ts';
import { playAsModelled } from '../src/testing/random-history.ts';

/*
 * `npm run choose-histories`: prints steps and seeds for the checks of random histories, chosen one after the other: always
 * the history whose states, among those that none before meets, are the rarest, of those that a check has requests for.
 * To be run after changes of the histories or of what is compared.
 */

const [MIN_STEPS, MAX_STEPS, SEEDS] = [2, 24, 12];

/** The maximum number of requests of a check to the interface. */
const MAX_REQUESTS = 60;

/** A history that a check could play, and the states that its steps meet. */
interface Candidate {
  readonly steps: number;
  readonly seed: number;
  readonly met: ReadonlySet<string>;
}

const candidates = new Map<HistoryCheck['theme'], readonly Candidate[]>();
for (const theme of new Set(HISTORIES.map((check) => check.theme))) {
  candidates.set(theme, candidatesOf(theme));
  process.stderr.write(`${theme.about}\n`);
}
const rarity = new Rarity([...candidates.values()].flat().map(({ met }) => met));
for (const check of HISTORIES) {
  const { steps, seed, met, requests } = await chosenFor(check);
  rarity.choose(met);
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
  const best = (candidates.get(theme) ?? [])
    .map((candidate) => ({ ...candidate, gain: rarity.gainOf(candidate.met) }))
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
    const called = Promise.resolve(players.callIn(counted));
    return async (...request) => (await called)(...request);
  });
  await emulator.close();
  return count;
}
