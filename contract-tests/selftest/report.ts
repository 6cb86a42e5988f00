import type { MutantResult } from './hunt.ts';

/** The result of a self-test. */
export interface SelftestReport {
  readonly schema: 'billing-emulator/contract-selftest';
  /** Mutants of the emulator, with the checks that detected them, out of those expected to. */
  readonly semantic: readonly {
    readonly about: string;
    readonly result: MutantResult;
    readonly killedBy: readonly string[];
  }[];
  /** Mutants of single responses. */
  readonly shapes: readonly {
    readonly name: string;
    readonly result: MutantResult;
    /** The reason why no check can detect it; undefined when a check should. */
    readonly reason: string | undefined;
  }[];
  /** Checks that no mutant made fail, with the known reason, if any. */
  readonly vacuous: readonly { readonly name: string; readonly reason: string | undefined }[];
  readonly checks: number;
  /** The patterns of the tested checks; empty for all. With patterns, shares are not checked. */
  readonly only?: readonly string[];
}

/** The smallest share of mutants that must be detected. @units percent */
const GATES = { semantic: 98, shapes: 99 } as const;

/** The share of detected mutants, out of those that could be tried. */
function shareKilled(mutants: readonly { readonly result: MutantResult }[]): number {
  const tried = mutants.filter(({ result }) => result !== 'void');
  const killed = tried.filter(({ result }) => result === 'killed');
  return tried.length === 0 ? 0 : (100 * killed.length) / tried.length;
}

/** The defects of the suite, one line each. */
export function faultsOf({
  semantic,
  shapes,
  vacuous,
  only = [],
}: SelftestReport): readonly string[] {
  const low = (name: keyof typeof GATES, share: number) =>
    only.length === 0 && share < GATES[name]
      ? [`only ${share.toFixed(1)} % of the ${name} mutants are noticed`]
      : [];
  return [
    ...low('semantic', shareKilled(semantic)),
    ...low('shapes', shareKilled(shapes)),
    ...semantic
      .filter(({ result }) => result !== 'killed')
      .map(({ about }) => `nobody notices ${about}`),
    ...shapes
      .filter(({ result, reason }) => result !== 'killed' && reason === undefined)
      .map(({ name, result }) => `nobody notices ${name} (${result}), and no reason is given`),
    ...shapes
      .filter(({ result, reason }) => result === 'killed' && reason !== undefined)
      .map(({ name }) => `${name} is noticed, so its reason must go`),
    ...vacuous
      .filter(({ reason }) => reason === undefined)
      .map(({ name }) => `vacuous: no mutant turns ${name} red`),
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
    `Checks    ${checks - vacuous.length} of ${checks} turned red by some mutant`,
    ...[...shapes, ...vacuous]
      .filter(({ reason }) => reason !== undefined)
      .map(({ name, reason }) => `  ${name}: ${reason}`),
    ...faultsOf(report).map((fault) => `✗ ${fault}`),
    '',
  ].join('\n');
}
