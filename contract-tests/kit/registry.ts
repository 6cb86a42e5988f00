import { readFileSync } from 'node:fs';
import { type Assumption, type Effect, readAssumptions, SPEC_FOLDER } from 'billing-emulator/spec';
import { parse } from 'yaml';

/** The levels of obligation of a requirement, strongest first. */
export const LEVELS = ['MUST', 'SHOULD', 'IMPLIED', 'ASSUMED'] as const;
export type Level = (typeof LEVELS)[number];

export interface CheckEntry {
  readonly id: string;
  readonly text: string;
  readonly level: Level;
  readonly effects: readonly Effect[];
  readonly assumption: readonly string[];
  /** Capabilities that the check requires: a webhook receiver, or a way to complete payments. */
  readonly needs: readonly string[];
  readonly requirements: readonly string[];
  readonly resource: string;
}

export interface Requirement {
  readonly id: string;
  readonly text: string;
  readonly section: string;
  readonly level: Level;
  readonly resource: string;
  readonly operations: readonly string[] | 'all';
  readonly checks: readonly string[];
  readonly not_tested: string | undefined;
  readonly assumption: string | undefined;
}

export interface Registry {
  readonly checks: ReadonlyMap<string, CheckEntry>;
  readonly requirements: ReadonlyMap<string, Requirement>;
  readonly assumptions: ReadonlyMap<string, Assumption>;
}

const RESOURCES: Readonly<Record<string, string>> = {
  X: 'cross-cutting',
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

type Rows<T> = Readonly<Record<string, Partial<T>>>;

let known: Registry | undefined;

/** The checks, requirements and assumptions, read once. */
export function registry(): Registry {
  known ??= readRegistry();
  return known;
}

/** Uses the lists that another thread has read. Reading them takes longer than many checks. */
export function adoptRegistry(read: Registry): void {
  known = read;
}

function readRegistry(): Registry {
  const requirements = rows<Requirement>(new URL('requirements.yaml', SPEC_FOLDER), (row) => ({
    checks: [],
    not_tested: undefined,
    assumption: undefined,
    ...row,
  }));
  const demanded = new Map<string, string[]>();
  for (const { id, checks } of requirements.values())
    for (const check of checks) demanded.set(check, [...(demanded.get(check) ?? []), id]);
  return {
    requirements,
    checks: rows<CheckEntry>(new URL('../checks.yaml', import.meta.url), (row, id) => ({
      assumption: [],
      needs: [],
      ...row,
      requirements: demanded.get(id) ?? [],
      resource: RESOURCES[id.split('-')[0] as string] ?? 'cross-cutting',
    })),
    assumptions: new Map(readAssumptions().map((entry) => [entry.id, entry])),
  };
}

function rows<T extends { readonly id: string }>(
  file: URL,
  complete: (row: Partial<T>, id: string) => Partial<T>,
): ReadonlyMap<string, T> {
  const found = parse(readFileSync(file, 'utf8')) as Rows<T>;
  return new Map(
    Object.entries(found).map(([id, row]) => [id, { id, ...complete(row, id) } as unknown as T]),
  );
}
