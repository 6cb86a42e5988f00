import {
  type MutantPlay,
  playOnMutants,
  RESOURCE_MUTANTS,
  RESOURCES,
  UNNOTICED,
} from './recorded-mutants.ts';

/**
 * `npm run prove -- record [--all]`: runs a recorded session over every operation on each declared mutant of a
 * resource. It must fail on every mutant that changes a response of the session, and on at least one of each resource.
 */
const plays = await playOnMutants(RESOURCE_MUTANTS);
const isRed = ({ problem }: MutantPlay): boolean => problem !== undefined;
const rows = RESOURCES.map((resource) => {
  const own = plays.filter((each) => each.resource === resource);
  const [reached, red] = [own.filter(({ isReached }) => isReached), own.filter(isRed)];
  return [resource, own.length, reached.length, red.length] as const;
});
for (const [resource, ...figures] of [['resource', 'mutants', 'reached', 'red'], ...rows])
  print(`${resource.padEnd(16)}${figures.map((figure) => String(figure).padStart(9)).join('')}`);
if (process.argv.includes('--all'))
  for (const { mutant, isReached, problem } of plays)
    print(`${isReached ? '✓' : '·'} ${mutant.about}  ${problem ?? ''}`);
for (const [id, why] of Object.entries(UNNOTICED)) print(`${id} is not noticed: ${why}`);

const wrong = plays.filter(
  (each) => each.isReached !== isRed(each) && !(each.mutant.about in UNNOTICED),
);
const faults = [
  ...rows.flatMap(([resource, , , red]) => (red === 0 ? [`no mutant of ${resource} is red`] : [])),
  ...wrong.map(
    ({ mutant, problem }) => `${mutant.about}: ${problem ?? 'green, with another answer'}`,
  ),
];
for (const fault of faults) print(`✗ ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
