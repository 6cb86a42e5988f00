import { readFileSync } from 'node:fs';
import { yaml } from '../text/yaml.ts';
import { SPEC_FOLDER } from './document.ts';

/** One decision where the specification of the service is silent. */
export interface Assumption {
  readonly id: string;
  readonly title: string;
  readonly area: string;
  /** What the specification does not define. */
  readonly gap: string;
  readonly decision: string;
  readonly reason: string;
  readonly kind: 'shape' | 'behaviour' | 'limit';
  readonly weight: 'money' | 'shape' | 'cosmetic';
  /** The basis of the decision: the specification, what such a service publishes, a published client, or common practice. */
  readonly evidence: 'specification' | 'published' | 'published client' | 'domain';
  /** Settings that change the decision. */
  readonly settings?: readonly string[];
  /** Operations whose responses depend on it. */
  readonly operations?: readonly string[] | 'all';
}

/** Reads the register of assumptions, in the order of their ids. */
export function readAssumptions(): readonly Assumption[] {
  const register = yaml().parse(
    readFileSync(new URL('assumptions.yaml', SPEC_FOLDER), 'utf8'),
  ) as Readonly<Record<string, Omit<Assumption, 'id'>>>;
  return Object.entries(register).map(([id, entry]) => ({ id, ...entry }));
}
