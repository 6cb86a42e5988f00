/** Whether a check noticed a mutant; `void` if no check received what it changes. */
export type MutantResult = 'killed' | 'survived' | 'void';

/** The result of a self-test. */
export interface SelftestReport {
  readonly schema: 'billing-emulator/contract-selftest';
  /** Mutants of the emulator, with the checks that detected them, and those that were expected to and did not. */
  readonly semantic: readonly {
    readonly about: string;
    readonly result: MutantResult;
    readonly killedBy: readonly string[];
    readonly missedBy: readonly string[];
  }[];
  /** Mutants of single responses. */
  readonly shapes: readonly {
    readonly name: string;
    readonly result: MutantResult;
    /** The reason why no check can detect it; undefined when a check should. */
    readonly reason: string | undefined;
  }[];
  /** Checks that no mutant made fail. */
  readonly vacuous: readonly string[];
  /** Checks that do not pass alone, on a correct emulator whose lists are empty. */
  readonly failing: readonly string[];
  /** Checks that send more requests than they may, with their number. */
  readonly long: readonly string[];
  /** The number of tested checks. */
  readonly checks: number;
  /** Whether everything was tried. */
  readonly isWhole: boolean;
}

/** The share of detected mutants, out of those that could be tried. */
function shareKilled(mutants: readonly { readonly result: MutantResult }[]): number {
  const tried = mutants.filter(({ result }) => result !== 'void');
  const killed = tried.filter(({ result }) => result === 'killed');
  return tried.length === 0 ? 0 : (100 * killed.length) / tried.length;
}

/** The defects of the suite, one line each. */
export function faultsOf(report: SelftestReport): readonly string[] {
  const { semantic, shapes, vacuous, failing, long, isWhole } = report;
  return [
    ...long,
    ...failing.map(
      (id) => `${id} does not pass alone, on a correct emulator whose lists are empty`,
    ),
    ...semantic.flatMap(({ about, missedBy }) =>
      missedBy.map((id) => `${id} does not notice ${about}`),
    ),
    ...shapes
      .filter(({ result, reason }) => result === 'survived' && reason === undefined)
      .map(({ name }) => `nobody notices ${name}, and no reason is given`),
    ...shapes
      .filter(({ result, reason }) => isWhole && result === 'void' && reason === undefined)
      .map(({ name }) => `nobody sees ${name}, and no reason is given`),
    ...shapes
      .filter(({ result, reason }) => result === 'killed' && reason !== undefined)
      .map(({ name }) => `${name} is noticed, so its reason must go`),
    ...vacuous.map((id) => `vacuous: no mutant turns ${id} red`),
  ];
}

export function selftestText(report: SelftestReport): string {
  const { semantic, shapes, vacuous, checks } = report;
  const line = (name: string, mutants: readonly { readonly result: MutantResult }[]) => {
    const count = (result: MutantResult) =>
      mutants.filter((mutant) => mutant.result === result).length;
    return `${name}${mutants.length} mutants: ${count('killed')} noticed (${shareKilled(mutants).toFixed(1)} %), ${count('survived')} not, ${count('void')} without an answer to spoil`;
  };
  return [
    line('Emulator  ', semantic),
    line('Answers   ', shapes),
    `Checks    ${checks - vacuous.length} of ${checks} failed for some mutant`,
    ...shapes
      .filter(({ reason }) => reason !== undefined)
      .map(({ name, reason }) => `  ${name}: ${reason}`),
    ...faultsOf(report).map((fault) => `✗ ${fault}`),
    '',
  ].join('\n');
}
