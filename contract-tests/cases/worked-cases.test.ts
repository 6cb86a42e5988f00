import { readFileSync } from 'node:fs';
import { anOwnWorld, type CheckContext, describe, table } from '../kit/index.ts';
import { playWorkedCase, type WorkedCase } from '../worked-cases/play-case.ts';

/** The cases of a file by their names. */
function casesOf(file: string): Readonly<Record<string, WorkedCase>> {
  const text = readFileSync(new URL(`../worked-cases/${file}`, import.meta.url), 'utf8');
  return Object.fromEntries((JSON.parse(text) as WorkedCase[]).map((one) => [one.name, one]));
}

const play = (given: WorkedCase, t: CheckContext) => playWorkedCase(anOwnWorld(t), given);

describe('worked cases', () => {
  table(
    'EVT-81',
    {
      requirement: ['R-EVT-63', 'R-EVT-65', 'R-EVT-66', 'R-EVT-67', 'R-EVT-68'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-1501', 'A-1502', 'A-1503', 'A-1504'],
      needs: 'clock.movable',
    },
    'worked cases of the price models → every fee and balance as calculated by hand',
    casesOf('price-models.json'),
    play,
  );

  table(
    'CUS-57',
    {
      requirement: ['R-PRF-19', 'R-SUB-45', 'R-SUB-47'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-902', 'A-903'],
      needs: 'clock.movable',
    },
    'worked cases of revenue → revenue, credit and status as calculated by hand, as time goes by',
    casesOf('revenue.json'),
    play,
  );

  table(
    'SUB-58',
    {
      requirement: ['R-SUB-45', 'R-SUB-47'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-903',
      needs: 'clock.movable',
    },
    'worked cases of fixed fees with bundled credit → their shares count as calculated by hand',
    casesOf('shares.json'),
    play,
  );
});
