import type { Mutant } from '../../mutant.ts';
import { heldOutCatalogBugs } from './catalog.ts';
import { heldOutCustomerBugs } from './customers.ts';
import { secondCatalogBugs } from './second-catalog.ts';
import { secondCustomerBugs } from './second-customers.ts';
import { secondUsageBugs } from './second-usage.ts';
import { heldOutUsageBugs } from './usage.ts';

/** Bugs of sentences of the specification, drawn by lot twice more, each time by somebody who knows no check. */
export const heldOutBugs: readonly Mutant[] = [
  ...heldOutCatalogBugs,
  ...heldOutCustomerBugs,
  ...heldOutUsageBugs,
  ...secondCatalogBugs,
  ...secondCustomerBugs,
  ...secondUsageBugs,
];
