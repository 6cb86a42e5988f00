import type { Mutant } from '../../mutant.ts';
import { boundBugs } from './bounds.ts';
import { pageBugs } from './pages.ts';
import { recordRaces } from './races.ts';
import { moneyRaces } from './races-money.ts';
import { staleBugs } from './stale.ts';
import { webhookBugs } from './webhooks.ts';

/**
 * Bugs of services in production: requests in flight at the same time, caches, boundaries, webhooks, and lists that
 * change between two pages. Written from the specification, without knowledge of the checks.
 */
export const productionBugs: readonly Mutant[] = [
  ...recordRaces,
  ...moneyRaces,
  ...staleBugs,
  ...boundBugs,
  ...webhookBugs,
  ...pageBugs,
];
