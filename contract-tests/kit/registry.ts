import { readFileSync } from 'node:fs';
import { type Effect, readAssumptions, SPEC_FOLDER } from 'billing-emulator/spec';
import { parse } from 'yaml';

/** The levels of obligation of a requirement, strongest first. */
const LEVELS = ['MUST', 'SHOULD', 'IMPLIED', 'ASSUMED'] as const;
export type Level = (typeof LEVELS)[number];

export interface CheckEntry {
  readonly id: string;
  readonly title: string;
  /** ASSUMED if it tests an assumption as a whole, else the strongest of its requirements. */
  readonly level: Level;
  readonly effect: Effect;
  readonly requirements: readonly string[];
  readonly assumes: readonly string[];
  /** Capabilities that the check requires: a way to complete payments, or a clock that may be moved. */
  readonly needs: readonly string[];
  readonly resource: string;
}

/** A sentence of the specification that demands something. */
interface Requirement {
  readonly id: string;
  readonly section: string;
  readonly level: Level;
  readonly operations: readonly string[] | 'all';
  readonly text: string;
  readonly not_tested: string | undefined;
}

const RESOURCES: Readonly<Record<string, string>> = {
  ACC: 'accounts',
  AST: 'assets',
  CUS: 'customers',
  SUB: 'subscriptions',
  WAL: 'wallets',
  EVT: 'events',
  PRD: 'products',
  TSK: 'tasks',
  TOP: 'top-ups',
  POR: 'billing-portal',
  VND: 'vendors',
  WHK: 'webhooks',
};

/** The resource that the id of a check stands for. */
export const resourceOfCheck = (id: string): string =>
  RESOURCES[id.split('-')[0] as string] ?? 'cross-cutting';

/** The checks of the case files that this thread has imported; `gatherCases` imports all. */
const checks = new Map<string, CheckEntry>();

export function addCheck(entry: CheckEntry): void {
  checks.set(entry.id, entry);
}

let lists: ReturnType<typeof readLists> | undefined;

/** The checks, requirements and assumptions by id. The lists are read once. */
export function registry() {
  lists ??= readLists();
  return { checks: checks as ReadonlyMap<string, CheckEntry>, ...lists };
}

const readLists = () => ({
  requirements: readRequirements(),
  assumptions: new Map(readAssumptions().map((entry) => [entry.id, entry])),
});

/** The strongest level of some requirements; ASSUMED without any that is known. */
export function strongestLevel(ids: readonly string[]): Level {
  const found = new Set(ids.map((id) => registry().requirements.get(id)?.level));
  return LEVELS.find((level) => found.has(level)) ?? 'ASSUMED';
}

type Sections = Readonly<Record<string, Readonly<Record<string, Partial<Requirement>>>>>;

function readRequirements(): ReadonlyMap<string, Requirement> {
  const file = readFileSync(new URL('requirements.yaml', SPEC_FOLDER), 'utf8');
  const rows = Object.entries(parse(file) as Sections).flatMap(([section, demands]) =>
    Object.entries(demands).map(([id, row]) => ({ id, section, not_tested: undefined, ...row })),
  );
  return new Map(rows.map((row) => [row.id, row as Requirement]));
}

/** The ids of the checks that cite each requirement. */
export function citations(): ReadonlyMap<string, readonly string[]> {
  const cited = new Map<string, string[]>();
  for (const { id, requirements } of checks.values())
    for (const each of requirements) cited.set(each, [...(cited.get(each) ?? []), id]);
  return cited;
}

/** The operations that a check tests, taken from its requirements. */
export function operationsOf({
  requirements,
}: Pick<CheckEntry, 'requirements'>): readonly string[] {
  const found = requirements.map((id) => registry().requirements.get(id)?.operations ?? []);
  return [...new Set(found.flatMap((operations) => (operations === 'all' ? [] : operations)))];
}
