import type { Mutant } from '../../mutant.ts';
import { heldOutCatalogBugs } from './catalog.ts';
import { heldOutCustomerBugs } from './customers.ts';
import { heldOutUsageBugs } from './usage.ts';

/** Bugs of sentences of the specification, drawn by lot once more, by somebody who knows no check. */
export const heldOutBugs: readonly Mutant[] = [
  ...heldOutCatalogBugs,
  ...heldOutCustomerBugs,
  ...heldOutUsageBugs,
];
