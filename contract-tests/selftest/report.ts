/** The result of a self-test. */
export interface SelftestReport {
  readonly schema: 'billing-emulator/contract-selftest';
  /** Mutants of the emulator, with those of the checks that must notice them that did not. */
  readonly mutants: readonly {
    readonly about: string;
    readonly isNoticed: boolean;
    readonly missedBy: readonly string[];
  }[];
  /** Responses spoiled in one place. */
  readonly responses: readonly {
    readonly name: string;
    readonly isNoticed: boolean;
    /** The reason why no check can notice it; undefined when a check should. */
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
}

/** The defects of the suite, one line each. */
export function faultsOf({
  mutants,
  responses,
  vacuous,
  failing,
  long,
}: SelftestReport): readonly string[] {
  return [
    ...long,
    ...failing.map(
      (id) => `${id} does not pass alone, on a correct emulator whose lists are empty`,
    ),
    ...mutants.flatMap(({ about, missedBy }) =>
      missedBy.map((id) => `${id} does not notice ${about}`),
    ),
    ...responses
      .filter(({ isNoticed, reason }) => !isNoticed && reason === undefined)
      .map(({ name }) => `nobody notices ${name}, and no reason is given`),
    ...responses
      .filter(({ isNoticed, reason }) => isNoticed && reason !== undefined)
      .map(({ name }) => `${name} is noticed, so its reason must go`),
    ...vacuous.map((id) => `vacuous: no mutant turns ${id} red`),
  ];
}

export function selftestText(report: SelftestReport): string {
  const { mutants, responses, vacuous, checks } = report;
  const noticedOf = (all: readonly { readonly isNoticed: boolean }[]) =>
    `${all.filter(({ isNoticed }) => isNoticed).length} of ${all.length} mutants noticed`;
  return [
    `Emulator  ${noticedOf(mutants)}`,
    `Answers   ${noticedOf(responses)}`,
    `Checks    ${checks - vacuous.length} of ${checks} failed for some mutant`,
    ...responses
      .filter(({ reason }) => reason !== undefined)
      .map(({ name, reason }) => `  ${name}: ${reason}`),
    ...faultsOf(report).map((fault) => `✗ ${fault}`),
    '',
  ].join('\n');
}
