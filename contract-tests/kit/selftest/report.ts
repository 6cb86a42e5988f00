import type { Fate } from './hunt.ts';

/** What a self-test found. */
export interface SelftestReport {
  readonly schema: 'billing-emulator/contract-selftest';
  /** Mutants of the emulator, with those of the checks meant to notice that did. */
  readonly semantic: readonly {
    readonly about: string;
    readonly fate: Fate;
    readonly killedBy: readonly string[];
  }[];
  /** Answers spoiled in one place. */
  readonly shapes: readonly {
    readonly name: string;
    readonly fate: Fate;
    /** Why nothing can notice it, where nothing does. */
    readonly reason: string | undefined;
  }[];
  /** Checks that no mutant turned red, and why none can, where there is a reason. */
  readonly vacuous: readonly { readonly name: string; readonly reason: string | undefined }[];
  readonly checks: number;
  /** The checks that alone were tried, if not all were; then nothing can be said of shares. */
  readonly only?: readonly string[];
}

/** Least shares that must be noticed. @units percent */
const GATES = { semantic: 98, shapes: 99 } as const;

/** Share that was noticed, of those that could be tried. */
function shareKilled(mutants: readonly { readonly fate: Fate }[]): number {
  const tried = mutants.filter(({ fate }) => fate !== 'void');
  const killed = tried.filter(({ fate }) => fate === 'killed');
  return tried.length === 0 ? 0 : (100 * killed.length) / tried.length;
}

/** What is wrong with the suite, in a line each. */
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
      .filter(({ fate }) => fate !== 'killed')
      .map(({ about }) => `nobody notices ${about}`),
    ...shapes
      .filter(({ fate, reason }) => fate !== 'killed' && reason === undefined)
      .map(({ name, fate }) => `nobody notices ${name} (${fate}), and no reason is given`),
    ...shapes
      .filter(({ fate, reason }) => fate === 'killed' && reason !== undefined)
      .map(({ name }) => `${name} is noticed, so its reason must go`),
    ...vacuous
      .filter(({ reason }) => reason === undefined)
      .map(({ name }) => `vacuous: no mutant turns ${name} red`),
  ];
}

/** The report in words. */
export function selftestText(report: SelftestReport): string {
  const { semantic, shapes, vacuous, checks } = report;
  const line = (name: string, mutants: readonly { readonly fate: Fate }[]) => {
    const count = (fate: Fate) => mutants.filter((mutant) => mutant.fate === fate).length;
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
