import type { Mutant } from '../../mutant.ts';
import { heldOutCatalogBugs } from './catalog.ts';
import { heldOutCustomerBugs } from './customers.ts';
import { pairedCatalogBugs } from './pairs-catalog.ts';
import { pairedCustomerBugs } from './pairs-customers.ts';
import { pairedUsageBugs } from './pairs-usage.ts';
import { pairedWebhookBugs } from './pairs-webhooks.ts';
import { secondCatalogBugs } from './second-catalog.ts';
import { secondCustomerBugs } from './second-customers.ts';
import { secondUsageBugs } from './second-usage.ts';
import { heldOutUsageBugs } from './usage.ts';

/**
 * Bugs for sentences of the specification from two more random draws, each written without knowledge of the checks.
 * Bugs that show only where two sentences meet are for randomly drawn pairs.
 */
export const heldOutBugs: readonly Mutant[] = [
  ...heldOutCatalogBugs,
  ...heldOutCustomerBugs,
  ...heldOutUsageBugs,
  ...secondCatalogBugs,
  ...secondCustomerBugs,
  ...secondUsageBugs,
  ...pairedCatalogBugs,
  ...pairedCustomerBugs,
  ...pairedUsageBugs,
  ...pairedWebhookBugs,
];
