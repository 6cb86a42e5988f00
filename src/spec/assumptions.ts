import { readFileSync } from 'node:fs';
import { yaml } from '../text/yaml.ts';
import { SPEC_FOLDER } from './document.ts';

/** One decision on what the specification of the service leaves open. */
export interface Assumption {
  readonly id: string;
  readonly title: string;
  readonly area: string;
  /** What the specification leaves open. */
  readonly gap: string;
  readonly decision: string;
  readonly reason: string;
  readonly kind: 'shape' | 'behaviour' | 'limit';
  readonly weight: 'money' | 'shape' | 'cosmetic';
  /** What it rests on: the specification, facts seen in a published client, or what billing is like. */
  readonly evidence: 'specification' | 'published client' | 'domain';
  /** Settings that change it. */
  readonly settings?: readonly string[];
  /** Operations whose answers rely on it. */
  readonly operations?: readonly string[] | 'all';
}

/** The register of assumptions, in the order of their ids. */
export function readAssumptions(): readonly Assumption[] {
  const register = yaml().parse(
    readFileSync(new URL('assumptions.yaml', SPEC_FOLDER), 'utf8'),
  ) as Readonly<Record<string, Omit<Assumption, 'id'>>>;
  return Object.entries(register).map(([id, entry]) => ({ id, ...entry }));
}
